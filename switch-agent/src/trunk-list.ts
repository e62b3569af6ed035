/** Messages about trunks between the service and an agent. */

/** How a trunk spells called numbers. */
export interface NumberFormat {
  /** Before a country's code: 00, 011. */
  international_prefix: string;
  /** Before a national number: 0 in Germany, 1 in North America, empty if there is none. */
  national_prefix: string;
  country_code: string;
  /** Prefix that the carrier adds before the number. */
  technical_prefix: string;
}

export interface GatewayValue {
  host: string;
  port: number;
  username: string | null;
  /** Changes with each new password, which travels apart. Null if there is none. */
  password_id: string | null;
  /** Gets the identity of callers who withhold their number (RFC 3325). */
  in_trust_domain: boolean;
  /** Gets a History-Info header (RFC 7044) even if the call had none. */
  history_info: boolean;
}

/** A carrier's line: where calls come from, and where forwarded ones go. */
export interface TrunkValue {
  name: string;
  direction: "in" | "out" | "both";
  sources: string[];
  transport: "udp" | "tcp" | "tls";
  /** Sends replies to the source port of a UDP request, regardless of its Via. */
  nat: boolean;
  number_format: NumberFormat;
  trusts_identity: boolean;
  /** 0: no limit. */
  max_calls: number;
  gateway: GatewayValue | null;
}

/** A trunk that takes forwarded calls, and when it is chosen. */
export interface ForwardGateway {
  trunk: string;
  /** Lower values are tried first. */
  priority: number;
  /** Share of calls among gateways with the same priority. */
  weight: number;
  /** Whether the switch sends OPTIONS to it, and skips it without a reply. */
  ping: boolean;
}

export interface ForwardingValue {
  gateways: ForwardGateway[];
  prefixes: string[];
  /** Both for each number. */
  calls_per_minute: number;
  calls_at_once: number;
}

/** Everything a switch knows about its carriers. */
export interface TrunkList {
  trunks: TrunkValue[];
  /** Null: no calls are forwarded. */
  forwarding: ForwardingValue | null;
}

/** A list of the service, and what the service compares to know whether a switch has it. */
export interface SentTrunkList extends TrunkList {
  etag: string;
  /** By `password_id`. */
  passwords: Record<string, string>;
}

export interface TrunkReport {
  /** Names the list that the service sent last. Null: the switch uses the trunks of its settings file. */
  etag: string | null;
  /** Trunks that the switch should hold, and others that it holds. */
  trunks: { name: string; found: TrunkValue | null; error: string }[];
  forwarding: { found: ForwardingValue | null; error: string };
}
