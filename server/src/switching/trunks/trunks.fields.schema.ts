import { Type } from "typebox";
import { Id, nullable } from "../../platform/http/shapes.ts";

const OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const ADDRESS = `${OCTET}(\\.${OCTET}){3}`;
export const DIRECTION =
  "`in`: it sends calls. `out`: it takes forwarded calls, and can send requests only within them. `both`: it does both.";
export const TRANSPORT =
  "Transport towards its gateway. A `tls` trunk must also send over TLS, and a `tcp` trunk over TCP or TLS.";
export const MOST_TRUNKS = 500;

export const TrunkName = Type.String({
  pattern: "^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$",
  maxLength: 40,
  examples: ["acme"],
  description: "Name of the trunk: small letters, digits and hyphens.",
});
export const Network = Type.String({
  pattern: `^${ADDRESS}(/([1-9]|[12][0-9]|3[0-2]))?$`,
  maxLength: 18,
  examples: ["198.51.100.0/24"],
});
export const Sources = Type.Array(Network, {
  maxItems: 1_000,
  description: "IPv4 networks from which its requests come. Required unless `direction` is `out`.",
});
export const MaxCalls = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  format: "int32",
  examples: [200],
  description: "Maximum number of concurrent calls. 0 for no limit.",
});
export const Switches = Type.Array(Id, {
  maxItems: 1_000,
  examples: [[]],
  description: "IDs of the switches of the group that have it. Empty: all switches, including later ones.",
});
export const Nat = Type.Boolean({
  description: "Whether the trunk is behind NAT: responses then go to the source port of its requests.",
});
export const TrustsIdentity = Type.Boolean({
  description: "Whether the switch passes on its `P-Asserted-Identity` and `Remote-Party-ID`.",
});
export const Host = Type.String({
  pattern: `^${ADDRESS}$`,
  maxLength: 15,
  examples: ["198.51.100.9"],
  description: "IPv4 address of the gateway.",
});
export const Port = Type.Integer({
  minimum: 1,
  maximum: 65_535,
  format: "int32",
  examples: [5060],
  description: "Port of the gateway.",
});
export const Username = nullable(
  Type.String({
    pattern: "^[A-Za-z0-9_.!~*'()&=+$,;?/@-]{1,128}$",
    maxLength: 128,
    examples: ["us"],
    description: "User name at the gateway. `null` if it requires none.",
  }),
);
export const InTrustDomain = Type.Boolean({
  description: "Whether the gateway gets the `P-Asserted-Identity` of callers who withhold their number.",
});
export const HistoryInfo = Type.Boolean({
  description: "Whether every forwarded call gets a `History-Info` header.",
});

export const Priority = Type.Integer({
  minimum: 1,
  maximum: 100,
  format: "int32",
  examples: [1],
  description: "Rank of the gateway: the lowest value is tried first.",
});
export const Weight = Type.Integer({
  minimum: 1,
  maximum: 100,
  format: "int32",
  examples: [1],
  description: "Share of the calls among gateways with the same priority.",
});
export const Limit = (unit: string, example: number) =>
  Type.Integer({
    minimum: 1,
    maximum: 100_000,
    format: "int32",
    examples: [example],
    description: `Maximum number of forwarded calls ${unit} of each number (default: ${example}).`,
  });
export const Ping = Type.Boolean({
  description: "Whether the switch sends OPTIONS, and skips the gateway after two missed replies.",
});

export const Revision = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  format: "int32",
  examples: [4],
  description: "Revision of the list. 0 if it is not managed.",
});
export const Prefixes = Type.Array(
  Type.String({ pattern: "^\\+[1-9][0-9]{0,9}$", maxLength: 11, examples: ["+49"] }),
  {
    maxItems: 1_000,
    description: "Prefixes of numbers that calls may be forwarded to.",
  },
);
