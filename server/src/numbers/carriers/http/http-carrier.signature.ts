import { createHmac } from "node:crypto";

export interface SignedRequest {
  method: string;
  /** Path and query below the base URL, as sent. */
  target: string;
  body: string;
}

/** Proves to a carrier that a request comes from this installation, and was not changed or repeated later. */
export function signatureHeaders(
  secret: string,
  { method, target, body }: SignedRequest,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const hmac = createHmac("sha256", secret).update(`${timestamp}.${method}.${target}.${body}`);
  return { "dialplane-timestamp": timestamp, "dialplane-signature": `v1=${hmac.digest("hex")}` };
}
