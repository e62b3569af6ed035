import { createHmac } from "node:crypto";

/** RFC 6238 with what every app takes for granted: SHA-1, six digits, thirty seconds. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Clocks of phones are a little off, and typing takes a while (RFC 6238, section 5.2). */
const DRIFT_STEPS = 1;

export const TOTP_CODE = /^\d{6}$/;

/** The time step a code belongs to, nearest first; undefined when it belongs to none around now. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const step = stepAt(now);
  for (let drift = 0; drift <= DRIFT_STEPS; drift++) {
    const found = [step - drift, step + drift].find((one) => codeAt(secret, one) === code);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS);
}

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = mac.at(-1)! & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** Content of the QR code for an authenticator app. */
export function otpauthUri(secret: Buffer, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
  return `otpauth://totp/${label}?${query}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}

/** RFC 4648; twenty bytes need no padding. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replaceAll(/.{1,5}/g, (five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five, 2)]!);
}

/** Without letters that look like digits, so that a code on paper can be read back. */
const RECOVERY_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const RECOVERY_CODES = 10;
export const RECOVERY_CODE_BYTES = 10;

/** Two groups of five characters: fifty random bits. */
export function recoveryCodeOf(random: Buffer): string {
  const text = [...random].map((byte) => RECOVERY_ALPHABET[byte & 31]!).join("");
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/** As people type it: dashes, spaces and capitals do not count, and neither does what looks alike. */
export function plainCode(code: string): string {
  return code.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}
