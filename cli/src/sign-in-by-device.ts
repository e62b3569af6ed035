import { setTimeout as pause } from "node:timers/promises";
import { ApiError, type ToolSession } from "@dialplane/sdk";
import type { SigningTool } from "./sign-in-by-browser.ts";

/** RFC 8628 §3.5: added to the interval after each slow_down. */
const SLOWER_SECONDS = 5;

/** For machines without a browser: the person types a code on any other. */
export async function signInByDevice({
  client,
  clientName,
  terminal,
  signal,
}: SigningTool): Promise<ToolSession> {
  const { device_code, user_code, verification_uri, interval_seconds } = await client.tools.beginDeviceSignIn(
    {
      client_name: clientName,
    },
  );
  terminal.say(`Open ${verification_uri} in any browser and enter this code:\n\n  ${user_code}\n`);
  let seconds = interval_seconds;
  for (;;) {
    terminal.progress("Waiting for authorisation …");
    await pause(seconds * 1_000, undefined, { signal });
    try {
      return await client.tools.redeemDevice({ device_code }, { signal, maxRetries: 0 });
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      if (code === "slow_down") seconds += SLOWER_SECONDS;
      else if (code !== "authorization_pending") throw error;
    }
  }
}
