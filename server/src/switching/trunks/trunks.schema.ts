import { type Static, Type } from "typebox";
import { closedEnum, described, Id, nullable, PageQuery, shape } from "../../platform/http/shapes.ts";
import {
  DIRECTION,
  HistoryInfo,
  Host,
  InTrustDomain,
  Limit,
  MaxCalls,
  MOST_TRUNKS,
  Nat,
  Network,
  Ping,
  Port,
  Prefixes,
  Priority,
  Revision,
  Sources,
  Switches,
  TRANSPORT,
  TrunkName,
  TrustsIdentity,
  Username,
  Weight,
} from "./trunks.fields.schema.ts";

const Digits = (description: string, example: string) =>
  Type.String({ pattern: "^[0-9]{0,8}$", maxLength: 8, examples: [example], description });
const NUMBER_FORMAT = {
  international_prefix: Type.Optional(Digits("Prefix of international numbers.", "00")),
  national_prefix: Type.Optional(Digits("Prefix of national numbers.", "0")),
  country_code: Type.Optional(
    Type.String({
      pattern: "^([1-9][0-9]{0,2})?$",
      maxLength: 3,
      examples: ["49"],
      description: "Country code of national numbers, without `+`.",
    }),
  ),
  technical_prefix: Type.Optional(
    Type.String({
      pattern: "^[0-9*#]{0,16}$",
      maxLength: 16,
      examples: [""],
      description: "Prefix that the carrier adds to each number.",
    }),
  ),
};
const SETTINGS = {
  direction: described(closedEnum(["in", "out", "both"]), DIRECTION),
  sources: Type.Optional(Sources),
  transport: described(closedEnum(["udp", "tcp", "tls"]), TRANSPORT),
  nat: Type.Optional(Nat),
  number_format: Type.Optional(
    described(shape("NewTrunkNumberFormat", NUMBER_FORMAT), "Format of called numbers and callers."),
  ),
  trusts_identity: Type.Optional(TrustsIdentity),
  max_calls: Type.Optional(MaxCalls),
  switches: Type.Optional(Switches),
  gateway: Type.Optional({
    ...nullable(
      shape("NewTrunkGateway", {
        host: Host,
        port: Type.Optional(described(Port, "Port of the gateway (default: 5060).")),
        username: Type.Optional(Username),
        password: Type.Optional(
          Type.String({
            pattern: "^[!-~]([ -~]*[!-~])?$",
            minLength: 1,
            maxLength: 128,
            examples: ["nuthatch-4711"],
            description:
              "Password at the gateway, which is never shown again. Omit it to keep the current one. Required for a new `username`, `host` or `port`.",
          }),
        ),
        in_trust_domain: Type.Optional(InTrustDomain),
        history_info: Type.Optional(HistoryInfo),
      }),
    ),
    description: "Destination of its forwarded calls. Required unless `direction` is `in`.",
  }),
};
const TrunkSettings = shape("TrunkSettings", SETTINGS);
export const NewTrunk = shape("NewTrunk", { name: TrunkName, ...SETTINGS });
export type NewTrunk = Static<typeof NewTrunk>;

export const SetTrunkForwarding = shape("SetTrunkForwarding", {
  gateways: Type.Array(
    shape("SetForwardingGateway", {
      trunk: described(TrunkName, "Name of a trunk with direction `out` or `both`."),
      priority: Type.Optional(
        described(Priority, "Rank of the gateway: the lowest value is tried first (default: 1)."),
      ),
      weight: Type.Optional(
        described(Weight, "Share of the calls among gateways with the same priority (default: 1)."),
      ),
      ping: Type.Optional(
        described(
          Ping,
          "Whether the switch sends OPTIONS, and skips the gateway after two missed replies (default: true).",
        ),
      ),
    }),
    { minItems: 1, maxItems: 5, description: "Trunks that take forwarded calls." },
  ),
  prefixes: Prefixes,
  calls_per_minute: Type.Optional(Limit("per minute", 60)),
  calls_at_once: Type.Optional(Limit("in progress", 10)),
});
export type SetTrunkForwarding = Static<typeof SetTrunkForwarding>;

const Expected = described(
  Revision,
  "Revision that you read. If it is not the current one, the request returns 409 `trunks_changed`.",
);
const CONFIRMED =
  "Networks that this change opens, and no others. Otherwise the request returns 422 `networks_not_confirmed` with the list.";
const Confirmed = Type.Array(Network, { maxItems: 10_000, description: CONFIRMED });

export const ReplaceTrunks = shape("ReplaceTrunks", {
  revision: Expected,
  trunks: Type.Array(NewTrunk, { maxItems: MOST_TRUNKS, description: "All trunks of the group." }),
  forwarding: {
    ...nullable(SetTrunkForwarding),
    description: "Gateways for forwarded calls. `null` if the group forwards none.",
  },
  confirmed_networks: Type.Optional(Confirmed),
});
export type ReplaceTrunks = Static<typeof ReplaceTrunks>;

export const SetTrunk = shape("SetTrunk", {
  revision: Type.Optional(Expected),
  trunk: described(TrunkSettings, "All settings of the trunk. Omitted ones get their defaults."),
  confirmed_networks: Type.Optional(Confirmed),
});
export type SetTrunk = Static<typeof SetTrunk>;

export const RestoreTrunks = shape("RestoreTrunks", {
  to: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    format: "int32",
    examples: [3],
    description: "Revision to restore, with its passwords.",
  }),
  revision: Expected,
  confirmed_networks: Type.Optional(Confirmed),
});
export type RestoreTrunks = Static<typeof RestoreTrunks>;

export const ByTrunk = Type.Object({ id: Id, name: TrunkName }, { additionalProperties: false });
export const DeleteTrunkQuery = Type.Object(
  { revision: Type.Optional(Expected) },
  { additionalProperties: false },
);
export const TrunkRevisionsQuery = Type.Object(PageQuery, { additionalProperties: false });
