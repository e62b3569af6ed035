import { createHmac } from "node:crypto";
import { macOf, type Secrets } from "../../platform/secrets.ts";

/** Derived, so that there is nothing to steal from the database. */
export function secretOf(secrets: Secrets, { id, version }: { id: string; version: number }): string {
  return `whsec_${macOf(secrets.derive("webhook-endpoint"), `${id}/${version}`).toString("base64")}`;
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
