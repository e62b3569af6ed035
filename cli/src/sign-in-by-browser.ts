import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client, ToolSession } from "@dialplane/sdk";
import { CliFailure } from "./cli-failure.ts";
import type { Terminal } from "./cli-terminal.ts";
import { EXIT } from "./exit-codes.ts";

export interface SigningTool {
  client: Client;
  url: string;
  clientName: string;
  terminal: Terminal;
  signal: AbortSignal;
}

const PATIENCE_MS = 300_000;

/** RFC 8252 with PKCE: the browser brings a code back to a port of this machine, which only we can redeem. */
export async function signInByBrowser(tool: SigningTool, browser: string | undefined): Promise<ToolSession> {
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const server = createServer();
  try {
    await listen(server);
    const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    const page = new URL(`${tool.url}/authorise`);
    page.search = new URLSearchParams({
      client_name: tool.clientName,
      redirect_uri: redirectUri,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      state,
    }).toString();
    tool.terminal.say(
      `Open this address in a browser on this machine, and authorise the CLI:\n\n  ${page.href}\n`,
    );
    if (browser !== "none") openBrowser(page.href, browser);
    const expected = { state, redirectUri, verifier };
    return await callback(server, tool, expected);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function listen(server: Server): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

interface Expected {
  state: string;
  redirectUri: string;
  verifier: string;
}

function callback(server: Server, tool: SigningTool, expected: Expected): Promise<ToolSession> {
  const { promise, resolve, reject } = Promise.withResolvers<ToolSession>();
  const timer = setTimeout(
    () =>
      reject(
        new CliFailure("The CLI was not authorised within five minutes.", {
          exitCode: EXIT.timedOut,
          next: "dialplane login",
        }),
      ),
    PATIENCE_MS,
  );
  const stop = (): void => reject(tool.signal.reason as Error);
  tool.signal.addEventListener("abort", stop, { once: true });
  server.on("request", (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", expected.redirectUri);
    // Rejects other requests of the browser or of other clients: only we know the state.
    if (pathname !== "/callback" || searchParams.get("state") !== expected.state)
      return void answer(response, 404, "Not found.");
    // RFC 9207: a code of another service is not sent to this one.
    if (searchParams.get("iss") !== tool.url)
      return void answer(response, 400, "This response comes from another service. Sign in again.");
    tool.client.tools
      .redeemCode({
        code: searchParams.get("code") ?? "",
        code_verifier: expected.verifier,
        redirect_uri: expected.redirectUri,
      })
      .then(
        async (session) => {
          await answer(response, 200, "You are signed in. Close this tab and return to the terminal.");
          resolve(session);
        },
        async (error: unknown) => {
          await answer(response, 400, "Sign-in failed. See the terminal for the reason.");
          reject(error);
        },
      );
  });
  return promise.finally(() => {
    clearTimeout(timer);
    tool.signal.removeEventListener("abort", stop);
  });
}

function answer(response: ServerResponse, status: number, text: string): Promise<void> {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  });
  return new Promise((resolve) => response.end(`${text}\n`, resolve));
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, string[]]>> = {
  darwin: ["open", []],
  win32: ["rundll32", ["url.dll,FileProtocolHandler"]],
};

/** If this fails, the user can copy the URL from the screen. */
function openBrowser(address: string, named: string | undefined): void {
  const [program, args] = named ? [named, []] : (OPENERS[process.platform] ?? ["xdg-open", []]);
  execFile(program, [...args, address], () => undefined).unref();
}
