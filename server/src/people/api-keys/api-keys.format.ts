import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { TAG_LENGTH } from "../../platform/tags.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** Published, so that scanners and editors can recognise a leaked key without asking us. */
const KEY = /^svc_(live|test)_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/;

/** Prefix, tag, 166 random bits, and a checksum over all: a mistyped key is recognised without the database. */
export function newKey(environment: "live" | "test", tag: string): string {
  const body = `svc_${environment}_${tag}${randomSymbols(SECRET_LENGTH - TAG_LENGTH)}`;
  return body + checksumOf(body);
}

/** Environment of a key. Undefined if it is mistyped or from another system. */
export function environmentOfKey(key: string): "live" | "test" | undefined {
  const environment = KEY.exec(key)?.[1];
  const body = key.slice(0, -CHECKSUM_LENGTH);
  return environment && checksumOf(body) === key.slice(-CHECKSUM_LENGTH)
    ? (environment as "live" | "test")
    : undefined;
}

export function isKeyLike(token: string): boolean {
  return token.startsWith("svc_live_") || token.startsWith("svc_test_");
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let at = 0; at < CHECKSUM_LENGTH; at++) {
    text = ALPHABET[rest % 62]! + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Bytes that would favour the first symbols are thrown away. */
function randomSymbols(count: number): string {
  let text = "";
  while (text.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < 248 && text.length < count) text += ALPHABET[byte % 62];
    }
  }
  return text;
}
