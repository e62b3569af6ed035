import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "svc_switch_";
const CREDENTIAL = /^svc_switch_[0-9a-f]{64}[0-9a-f]{8}$/;

/** Prefix, 256 random bits, and a checksum over both: a mistyped one is recognised without the database. */
export function newSwitchCredential(): string {
  const body = PREFIX + randomBytes(32).toString("hex");
  return body + checksumOf(body);
}

export function isCredential(text: string): boolean {
  return CREDENTIAL.test(text) && checksumOf(text.slice(0, -8)) === text.slice(-8);
}

function checksumOf(body: string): string {
  return crc32(body).toString(16).padStart(8, "0");
}
