import { hash } from "node:crypto";
import { isIP } from "node:net";
import type { ConnectionValue, FailureCause, TargetHealth } from "../control-plane.ts";

type Target = ConnectionValue["targets"][number];

/** First part of a target's name that says how the target is; all others answer. */
const MAGIC_HOSTS = { down: "down", lost: "unresolved" } as const;

/** First part of a host's name that says how calls to it fail. Calls to all others may be answered. */
const FAILING_HOSTS: Record<string, FailureCause> = {
  [MAGIC_HOSTS.down]: "unreachable",
  [MAGIC_HOSTS.lost]: "unreachable",
  "no-answer": "no_answer",
  busy: "busy",
  refused: "refused",
};

/** How calls to a simulated host fail. Undefined if its name does not say that they do. */
export function simulatedFailure(host: string): FailureCause | undefined {
  const first = host.split(".", 1)[0]!.toLowerCase();
  return Object.hasOwn(FAILING_HOSTS, first) ? FAILING_HOSTS[first] : undefined;
}

/** Health of a simulated target. Its name gives the state, and it gets a documentation address (RFC 5737). */
export function simulatedHealth({ host, port, transport }: Target): TargetHealth {
  const first = host.split(".", 1)[0];
  if (first === MAGIC_HOSTS.lost) return { host, port, transport, state: "down", addresses: [] };
  const state = first === MAGIC_HOSTS.down ? "down" : "up";
  const address = isIP(host) ? host : `192.0.2.${1 + (hash("md5", host, "buffer")[0]! % 254)}`;
  const place = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  return { host, port, transport, state, addresses: [{ address: place, state }] };
}
