import { hash } from "node:crypto";

/** The tool listens before it opens the browser, so the redirect takes only seconds. */
export const CODE_MS = 60_000;

/** 1 to 65535: a URL with a higher port cannot be parsed. */
const PORT = String.raw`([1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`;

/**
 * RFC 8252, section 7.3: the machine itself, by number, on any port. No name, for a name can lead elsewhere; and
 * nothing but a plain path, so that what we add to it cannot be taken for something else.
 */
export const LOOPBACK_URI = String.raw`^http://(127\.0\.0\.1|\[::1\])(:${PORT})?(/[A-Za-z0-9._~/-]*)?$`;

/** RFC 7636, section 4.6. */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  return hash("sha256", verifier, "base64url") === challenge;
}

export function redirectTo(uri: string, answer: Record<string, string>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return url.href;
}
