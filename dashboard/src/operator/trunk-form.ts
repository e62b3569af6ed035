import type { SetTrunk, TrunkList } from "@dialplane/sdk/operator";

export type Trunk = TrunkList["trunks"][number];

/** Fields of a trunk as they are typed. */
export interface TrunkValues {
  name: string;
  direction: "in" | "out" | "both";
  sources: string;
  transport: "udp" | "tcp" | "tls";
  max_calls: string;
  nat: boolean;
  trusts_identity: boolean;
  number_format: {
    international_prefix: string;
    national_prefix: string;
    country_code: string;
    technical_prefix: string;
  };
  switches: string[];
  gateway: {
    host: string;
    port: string;
    username: string;
    password: string;
    in_trust_domain: boolean;
    history_info: boolean;
  };
}

const NO_FORMAT = { international_prefix: "", national_prefix: "", country_code: "", technical_prefix: "" };

export function trunkValuesOf(one: Trunk | undefined): TrunkValues {
  const gateway = one?.gateway;
  return {
    name: one?.name ?? "",
    direction: (one?.direction ?? "in") as TrunkValues["direction"],
    sources: one?.sources.join(", ") ?? "",
    transport: (one?.transport ?? "udp") as TrunkValues["transport"],
    max_calls: String(one?.max_calls ?? 0),
    nat: one?.nat ?? false,
    trusts_identity: one?.trusts_identity ?? false,
    number_format: { ...NO_FORMAT, ...one?.number_format },
    switches: one?.switches ?? [],
    gateway: {
      host: gateway?.host ?? "",
      port: String(gateway?.port ?? 5060),
      username: gateway?.username ?? "",
      password: "",
      in_trust_domain: gateway?.in_trust_domain ?? false,
      history_info: gateway?.history_info ?? false,
    },
  };
}

/** A gateway without an address is none: a trunk that only sends calls can do without. */
export function trunkOf(typed: TrunkValues): SetTrunk["trunk"] {
  const { name: _, sources, max_calls, gateway, ...values } = typed;
  const { host, port, username, password, ...flags } = gateway;
  return {
    ...values,
    sources: listOf(sources),
    max_calls: Number(max_calls),
    gateway: host.trim()
      ? {
          ...flags,
          host: host.trim(),
          port: Number(port),
          username: username.trim() || null,
          ...(password !== "" && { password }),
        }
      : null,
  };
}

export function listOf(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter(Boolean);
}

export function isWhole(typed: string): boolean {
  return /^\d{1,7}$/.test(typed);
}
