import { parseSipUri, portOf, type SipUri } from "@dialplane/switch-agent";
import type { App } from "../../app.ts";
import { checkTargetUrl } from "../../platform/egress.ts";
import { parseNumber } from "../numbers/numbers.ts";
import { checkForward, checkSipUri, checkTarget, type SipTarget } from "./routing.destinations.ts";
import { type Destination, failoverFault, stepsOf } from "./routing.rules.ts";

type Needs = Pick<App, "config" | "names">;

/** Returns the reason why a destination is not allowed, as a sentence for the caller; undefined if it is allowed. */
export async function destinationFault(app: Needs, desired: Destination): Promise<string | undefined> {
  const fault = failoverFault(desired);
  if (fault !== undefined) return fault;
  const faults = await Promise.all(stepsOf(desired).map((step) => stepFault(app, step)));
  const at = faults.findIndex((one) => one !== undefined);
  return at > 0 ? `Fallback ${at}: ${faults[at]}` : faults[at];
}

async function stepFault(
  app: Needs,
  { mode, sip_uri, forward_to, webhook_url }: Destination,
): Promise<string | undefined> {
  if (mode === "sip_uri") return sipUriFault(app, sip_uri!);
  if (mode === "forward") return forwardFault(app, forward_to!);
  if (mode !== "webhook") return undefined;
  return (
    checkTargetUrl(app.config.egress, webhook_url!) ?? (await webhookNameFault(app, new URL(webhook_url!)))
  );
}

/** The same of a connection's target. */
export async function targetFault({ config, names }: Needs, target: SipTarget): Promise<string | undefined> {
  return checkTarget(config.egress, target) ?? (await names.faultOf(target.host, target.port));
}

async function sipUriFault({ config, names }: Needs, text: string): Promise<string | undefined> {
  const fault = checkSipUri(config.egress, text);
  if (fault !== undefined) return fault;
  const uri = parseSipUri(text) as SipUri;
  return names.faultOf(uri.host, portOf(uri));
}

function forwardFault({ config }: Needs, text: string): string | undefined {
  const number = parseNumber(text);
  if ("fault" in number) return number.fault;
  // The checked number must be the dialled one. The parser drops a trunk prefix, and a switch would dial it.
  if (number.e164 !== text) return `Write the number as ${number.e164}.`;
  return checkForward(config.forwardPrefixes, number);
}

async function webhookNameFault({ names }: Needs, url: URL): Promise<string | undefined> {
  return names.faultOf(url.hostname.replace(/^\[|\]$/g, ""), url.port ? Number(url.port) : undefined);
}
