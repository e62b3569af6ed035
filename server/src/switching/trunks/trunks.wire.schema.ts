import { type Static, Type } from "typebox";
import { closedEnum, nullable, shape } from "../../platform/http/shapes.ts";

const DIRECTION = "`in`: it sends calls. `out`: it takes forwarded calls. `both`: it does both.";
const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] });
const Count = (maximum: number, description: string, example = 0) =>
  Type.Integer({ minimum: 0, maximum, format: "int32", description, examples: [example] });
const Flag = (description: string) => Type.Boolean({ description });

const PasswordId = nullable(
  Type.String({
    maxLength: 64,
    pattern: "^[A-Za-z0-9_-]{1,64}$",
    examples: ["q7Xv0cW2mT6tq2cJ"],
    description: "ID of the password, which changes with the password. `null` if there is none.",
  }),
);

/** Values that a switch holds. Switches may report values that operators cannot set. */
const trunkValue = (prefix: "" | "Reported") =>
  shape(`${prefix}TrunkValue`, {
    name: Text(100, "Name of the trunk.", "acme"),
    direction: { ...closedEnum(["in", "out", "both"]), description: DIRECTION },
    sources: Type.Array(Type.String({ maxLength: 50, examples: ["198.51.100.0/24"] }), {
      maxItems: 1_000,
      description: "Networks from which its requests come.",
    }),
    transport: { ...closedEnum(["udp", "tcp", "tls"]), description: "Least strict transport of the trunk." },
    nat: Flag("Whether responses go to the source port of its requests."),
    number_format: shape(`${prefix}TrunkNumberFormat`, {
      international_prefix: Text(20, "Prefix of international numbers.", "00"),
      national_prefix: Text(20, "Prefix of national numbers.", "0"),
      country_code: Text(20, "Country code of national numbers.", "49"),
      technical_prefix: Text(20, "Prefix that the carrier adds to each number.", ""),
    }),
    trusts_identity: Flag("Whether the switch passes on its asserted identity."),
    max_calls: Count(2_147_483_647, "Maximum number of concurrent calls. 0 for no limit.", 200),
    gateway: nullable(
      shape(`${prefix}TrunkGatewayValue`, {
        host: Text(50, "Address of the gateway.", "198.51.100.9"),
        port: Count(65_535, "Port of the gateway.", 5060),
        username: nullable(Text(200, "User name at the gateway. `null` if there is none.", "us")),
        password_id: PasswordId,
        in_trust_domain: Flag("Whether the gateway gets the identity of callers who withhold their number."),
        history_info: Flag("Whether forwarded calls get a `History-Info` header."),
      }),
    ),
  });
/** Requests are closed and responses are open, so each has a schema. */
export const TrunkValue = trunkValue("");
export type TrunkValue = Static<typeof TrunkValue>;

const forwardingValue = (prefix: "" | "Reported") =>
  shape(`${prefix}ForwardingValue`, {
    gateways: Type.Array(
      shape(`${prefix}ForwardingGatewayValue`, {
        trunk: Text(100, "Name of the trunk.", "acme"),
        priority: Count(1_000_000, "Rank of the gateway: the lowest value is tried first.", 1),
        weight: Count(1_000_000, "Share of the calls among gateways with the same priority.", 1),
        ping: Flag("Whether the switch sends OPTIONS, and skips a gateway that does not respond."),
      }),
      { maxItems: 100, description: "Trunks that take forwarded calls." },
    ),
    prefixes: Type.Array(Type.String({ maxLength: 20, examples: ["+49"] }), {
      maxItems: 1_000,
      description: "Prefixes of numbers that calls may be forwarded to.",
    }),
    calls_per_minute: Count(2_147_483_647, "Maximum number of forwarded calls per minute of a number.", 60),
    calls_at_once: Count(2_147_483_647, "Maximum number of concurrent forwarded calls of a number.", 10),
  });
export const ForwardingValue = forwardingValue("");
export type ForwardingValue = Static<typeof ForwardingValue>;

const Etag = nullable(
  Type.String({
    maxLength: 64,
    examples: ["5f1c0f9b7c1e7a339d3f3f6a1c0f9b11"],
    description: "ETag of the list. `null` for the list of the switch's own file.",
  }),
);
const Failure = Type.String({
  maxLength: 2_000,
  examples: [""],
  description: "Reason why the value could not be set. Empty if it could.",
});

export const TrunkReport = shape("TrunkReport", {
  etag: {
    ...Etag,
    description: "ETag of the list that the switch was sent last. `null` if it uses its own file.",
  },
  trunks: Type.Array(
    shape("ReportedTrunk", {
      name: Text(100, "Name of the trunk.", "acme"),
      found: {
        ...nullable(trunkValue("Reported")),
        description: "Value that the switch returned. `null` if it holds none.",
      },
      error: Failure,
    }),
    { maxItems: 1_000, description: "Trunks that the switch should hold or holds." },
  ),
  forwarding: shape("ReportedForwarding", {
    found: {
      ...nullable(forwardingValue("Reported")),
      description: "Value that the switch returned. `null` if it holds none.",
    },
    error: Failure,
  }),
});
export type TrunkReport = Static<typeof TrunkReport>;

export const SwitchTrunks = shape("SwitchTrunks", {
  is_managed: Type.Boolean({
    description: "Whether the group's trunks are in the service. Otherwise the switch uses its own file.",
  }),
  etag: { ...Etag, description: "ETag of the list for this switch. `null` if it is not managed." },
  trunks: Type.Unsafe<TrunkValue[] | null>({
    type: ["array", "null"],
    items: TrunkValue,
    maxItems: 1_000,
    description:
      "Trunks of this switch. `null` if they are unchanged since the reported `etag`, or not managed.",
  }),
  forwarding: {
    ...nullable(ForwardingValue),
    description: "Forwarding of this switch. `null` if none of its trunks takes forwarded calls.",
  },
  passwords: Type.Unsafe<Record<string, string>>({
    type: "object",
    additionalProperties: { type: "string", maxLength: 256 },
    maxProperties: 1_000,
    examples: [{ q7Xv0cW2mT6tq2cJ: "…" }],
    description: "Passwords of the gateways in `trunks`, by `password_id`. Empty if `trunks` is `null`.",
  }),
});
export type SwitchTrunks = Static<typeof SwitchTrunks>;
