import type { Carrier, ChangeCarrier, CreateCarrier } from "@dialplane/sdk/operator";

export const NUMBER_TYPES = [
  "local",
  "national",
  "mobile",
  "toll_free",
  "shared_cost",
  "premium",
  "voip",
  "personal",
  "uan",
  "pager",
  "other",
] as const satisfies ChangeCarrier["number_types"];

export interface CarrierValues {
  kind: "pool" | "telnyx" | "didww" | "http";
  name: string;
  /** API key or secret. */
  credential: string;
  url: string;
  countries: string[];
  number_types: string[];
  preference: string;
  inventory: boolean;
}

export function valuesOf(one: Carrier | undefined): CarrierValues {
  return {
    kind: (one?.kind ?? "telnyx") as CarrierValues["kind"],
    name: one?.name ?? "",
    credential: "",
    url: one?.url ?? "",
    countries: [...(one?.countries ?? [])],
    number_types: [...(one?.number_types ?? [])],
    preference: String(one?.preference ?? 100),
    inventory: one?.inventory ?? true,
  };
}

export function newCarrierOf({ kind, name, url, ...values }: CarrierValues): CreateCarrier {
  const isPool = kind === "pool";
  return {
    ...settingsOf(values),
    kind,
    name: isPool ? "pool" : name.trim(),
    ...(!isPool && url.trim() && { url: url.trim() }),
    ...(!isPool && { credentials: credentialsOf(kind, values.credential) }),
  };
}

/** Credentials are sent only if the operator entered new ones. */
export function carrierChangeOf({ url, ...values }: CarrierValues, one: Carrier): ChangeCarrier {
  const address = url.trim() || null;
  return {
    ...settingsOf(values),
    ...(address !== one.url && { url: address }),
    ...(values.credential.trim() && { credentials: credentialsOf(one.kind, values.credential) }),
  };
}

function credentialsOf(kind: string, written: string): Record<string, string> {
  const credential = written.trim();
  return kind === "http" ? { secret: credential } : { api_key: credential };
}

function settingsOf({
  countries,
  number_types,
  preference,
  inventory,
}: Omit<CarrierValues, "kind" | "name" | "url">) {
  return {
    countries,
    number_types: number_types as NonNullable<ChangeCarrier["number_types"]>,
    preference: Number(preference),
    inventory,
  };
}
