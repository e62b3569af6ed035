import { WebhookVerificationError } from "./dialplane-errors.ts";
import type { WebhookEvent } from "./event-types.ts";

export interface Delivery {
  /** Raw body, before parsing. */
  body: string | Uint8Array<ArrayBuffer>;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** `whsec_…` */
  secret: string;
  /** Maximum age (default: 5 minutes). */
  toleranceSeconds?: number | undefined;
}

const TOLERANCE_SECONDS = 300;

/**
 * Returns the payload if its signature (Standard Webhooks) is valid and recent, else throws. The payload is
 * an event, or with a routing webhook's secret a routing request.
 */
export async function verifyWebhook<Sent = WebhookEvent>({
  body,
  headers,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
}: Delivery): Promise<Sent> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!(ageSeconds <= toleranceSeconds))
    throw new WebhookVerificationError("The delivery is too old, or from the future");

  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const key = await keyOf(secret);
  // While a secret is being replaced there is a signature of each; one that fits is enough.
  for (const signature of headerOf(headers, "webhook-signature").split(" ")) {
    const [version, text] = signature.split(",", 2);
    const given = version === "v1" ? bytesOf(text ?? "") : undefined;
    if (given && (await crypto.subtle.verify("HMAC", key, given, signed)))
      return JSON.parse(new TextDecoder().decode(bytes)) as Sent;
  }
  throw new WebhookVerificationError("No signature of the delivery fits the secret");
}

function headerOf(headers: Delivery["headers"], name: string): string {
  const found = headers instanceof Headers ? headers.get(name) : entryOf(headers, name);
  if (!found) throw new WebhookVerificationError(`The header ${name} is missing`);
  return found;
}

function entryOf(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value[0] : value;
}

function keyOf(secret: string) {
  const raw = bytesOf(secret.replace(/^whsec_/, ""));
  if (!raw) throw new WebhookVerificationError("The secret is not one of an endpoint: whsec_ and base64");
  return crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
