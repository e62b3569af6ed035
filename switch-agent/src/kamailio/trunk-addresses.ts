import type { TrunkValue } from "../trunk-list.ts";
import type { SwitchRpc } from "./switch-rpc.ts";

/** An entry of the switch's table of addresses. */
export interface AddressEntry {
  group: number;
  address: string;
  bits: number;
  /** Settings of the trunk, for the Kamailio script. */
  dialect: string;
}

/**
 * Source addresses. Group 1 may send calls. Group 2 may send only requests within calls that went there.
 * Group 3 gets no customer's calls: its gateways accept calls from this switch's address.
 */
export function addressesOf(trunks: readonly TrunkValue[]): AddressEntry[] {
  return trunks.flatMap((trunk) => {
    const { direction, sources, gateway } = trunk;
    const entryOf = (group: number, network: string): AddressEntry => {
      const [address = "", bits = "32"] = network.split("/");
      return { group, address, bits: Number(bits), dialect: dialectOf(trunk) };
    };
    return [
      ...sources.map((source) => entryOf(direction === "out" ? 2 : 1, source)),
      ...(gateway ? [...new Set([gateway.host, ...sources])].map((network) => entryOf(3, network)) : []),
    ];
  });
}

/** Kamailio's file of addresses. */
export function addressFile(trunks: readonly TrunkValue[]): string {
  const lines = addressesOf(trunks).map(
    ({ group, address, bits, dialect }) => `${group} ${address} ${bits} 0 ${dialect}`,
  );
  return `${lines.join("\n")}\n`;
}

/** A text by which two entries are the same. */
export const entryText = ({ group, address, bits, dialect }: AddressEntry): string =>
  `${group} ${address}/${bits} ${dialect}`;

export const trunkOf = ({ dialect }: AddressEntry): string => dialect.split("|", 1)[0]!;

/** Entries that the switch holds now. */
export async function readAddresses(rpc: SwitchRpc): Promise<AddressEntry[]> {
  const [single, networks] = await Promise.all([
    rpc.call("permissions.addressDump"),
    rpc.call("permissions.subnetDump"),
  ]);
  return [...entriesIn(single), ...entriesIn(networks)];
}

interface Dumped {
  group: number;
  item: { ip: string; mask?: number; tag?: string };
}

/** An empty table is dumped as an object. */
function entriesIn(dump: unknown): AddressEntry[] {
  if (!Array.isArray(dump)) return [];
  return (dump as Dumped[]).map(({ group, item: { ip, mask = 32, tag = "" } }) => ({
    group,
    address: ip,
    bits: mask,
    dialect: tag,
  }));
}

/** Trunk settings for the Kamailio script, in the order in which it parses them. */
function dialectOf(trunk: TrunkValue): string {
  const { name, number_format: format, max_calls, trusts_identity, transport, nat } = trunk;
  return [
    name,
    format.international_prefix,
    format.national_prefix,
    format.country_code,
    // A # starts a comment in the file.
    format.technical_prefix.replaceAll("#", "%23"),
    max_calls,
    trusts_identity ? 1 : 0,
    transport,
    nat ? 1 : 0,
  ].join("|");
}

/** The settings in a dialect, or undefined for text that an agent does not write. */
export function readDialect(
  dialect: string,
): Omit<TrunkValue, "direction" | "sources" | "gateway"> | undefined {
  const [name = "", international = "", national = "", country = "", technical = "", ...rest] =
    dialect.split("|");
  const [most, isTrusted, transport, isNat] = rest;
  const read = {
    name,
    transport: transport as TrunkValue["transport"],
    nat: isNat === "1",
    number_format: {
      international_prefix: international,
      national_prefix: national,
      country_code: country,
      technical_prefix: technical.replaceAll("%23", "#"),
    },
    trusts_identity: isTrusted === "1",
    max_calls: Number(most),
  };
  return dialectOf({ ...read, direction: "in", sources: [], gateway: null }) === dialect ? read : undefined;
}
