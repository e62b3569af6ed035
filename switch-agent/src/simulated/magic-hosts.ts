import { hash } from "node:crypto";
import { isIP } from "node:net";
import type { ConnectionValue, TargetHealth } from "../control-plane.ts";

type Target = ConnectionValue["targets"][number];

/** First part of a target's name that says how the target is; all others answer. */
const MAGIC_HOSTS = { down: "down", lost: "unresolved" } as const;

/** Health of a simulated target. Its name gives the state, and it gets a documentation address (RFC 5737). */
export function simulatedHealth({ host, port, transport }: Target): TargetHealth {
  const first = host.split(".", 1)[0];
  if (first === MAGIC_HOSTS.lost) return { host, port, transport, state: "down", addresses: [] };
  const state = first === MAGIC_HOSTS.down ? "down" : "up";
  const address = isIP(host) ? host : `192.0.2.${1 + (hash("md5", host, "buffer")[0]! % 254)}`;
  const place = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  return { host, port, transport, state, addresses: [{ address: place, state }] };
}
