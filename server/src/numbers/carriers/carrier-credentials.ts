import { unseal } from "../../platform/sealed-secrets.ts";
import type { Secrets } from "../../platform/secrets.ts";

/** JSON of these is sealed under the ID of the carrier. Empty if it has none. */
export function unsealCredentials(
  secrets: Secrets,
  {
    id,
    root_id,
    sealed_credentials,
  }: { id: string; root_id: number | null; sealed_credentials: Buffer | null },
): Record<string, string> {
  if (root_id === null || sealed_credentials === null) return {};
  const opened = unseal(secrets.of("carrier-credentials", root_id), id, sealed_credentials);
  if (opened === undefined) throw new Error("The credentials of the carrier cannot be opened.");
  return JSON.parse(opened) as Record<string, string>;
}
