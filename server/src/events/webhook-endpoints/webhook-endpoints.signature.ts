import { createHmac } from "node:crypto";
import type { Secrets } from "../../platform/secrets.ts";
import { signingSecret } from "../../platform/signing-secrets.ts";

export function secretOf(
  secrets: Secrets,
  { id, ...of }: { id: string; version: number; rootId: number },
): string {
  return signingSecret(secrets, { purpose: "webhook-endpoint", owner: id, ...of });
}

/** Standard Webhooks: one signature per secret that is good now, so that receivers can change over in their own time. */
export function signedHeaders(
  secrets: readonly string[],
  message: { id: string; at: Date; body: string },
): Record<string, string> {
  const seconds = Math.floor(message.at.getTime() / 1000);
  const signed = `${message.id}.${seconds}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
