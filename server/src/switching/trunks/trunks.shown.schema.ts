import { type Static, type TSchema, Type } from "typebox";
import { DateTime, described, Id, nullable, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";
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
import { TRUNK_STATUSES } from "./trunks.status.rules.ts";
import { ForwardingValue, TrunkValue } from "./trunks.wire.schema.ts";

const STATUS =
  "`applied`: read back with the desired value. `pending`: not yet. `failed`: the switch could not set it. `drifted`: it was applied, and has another value now. `unknown`: the switch does not report.";
const Status = openEnum(TRUNK_STATUSES, STATUS);
const ObservedAt = nullable(described(DateTime, "Time of the last report. `null` if there was none."));
const stateOf = <Value extends TSchema>(title: string, value: Value) =>
  shape(title, {
    switch_id: described(Id, "ID of the switch."),
    name: Type.String({ maxLength: 100, examples: ["fra-1"], description: "Name of the switch." }),
    status: Status,
    found: described(nullable(value), "Value that the switch returned. `null` if it holds none."),
    expected: described(nullable(value), "Value that the switch should hold. `null` if it should hold none."),
    error: nullable(
      Type.String({ maxLength: 2_000, description: "Reason why it could not be set. `null` if it could." }),
    ),
    observed_at: ObservedAt,
  });
const TrunkState = stateOf("TrunkState", TrunkValue);
const ForwardingState = stateOf("TrunkForwardingState", ForwardingValue);
const STATES = { maxItems: 1_000, description: "The same on each switch." };

const SHOWN = {
  name: TrunkName,
  direction: openEnum(["in", "out", "both"], DIRECTION),
  sources: Sources,
  transport: openEnum(["udp", "tcp", "tls"], TRANSPORT),
  nat: Nat,
  number_format: described(TrunkValue.properties.number_format, "Format of called numbers and callers."),
  trusts_identity: TrustsIdentity,
  max_calls: MaxCalls,
  switches: Switches,
  gateway: {
    ...nullable(
      shape("TrunkGateway", {
        host: Host,
        port: Port,
        username: Username,
        password_set_at: nullable(
          described(DateTime, "Time when the password was set. `null` if there is none."),
        ),
        in_trust_domain: InTrustDomain,
        history_info: HistoryInfo,
      }),
    ),
    description: "Destination of its forwarded calls. `null` if there is none.",
  },
};
const FORWARDING = {
  gateways: Type.Array(
    shape("TrunkForwardingGateway", {
      trunk: described(TrunkName, "Name of the trunk."),
      priority: Priority,
      weight: Weight,
      ping: Ping,
    }),
    { maxItems: 5, description: "Trunks that take forwarded calls." },
  ),
  prefixes: Prefixes,
  calls_per_minute: Limit("per minute", 60),
  calls_at_once: Limit("in progress", 10),
};

const Trunk = shape("Trunk", {
  ...SHOWN,
  status: Status,
  states: Type.Array(TrunkState, STATES),
});

const TrunkSwitch = shape("TrunkSwitch", {
  id: described(Id, "ID of the switch."),
  name: Type.String({ maxLength: 100, examples: ["fra-1"], description: "Name of the switch." }),
  source: nullable(
    openEnum(
      ["service", "file"],
      "Source of its trunks. `file`: its own `switch.json`. `null` if it has not reported.",
    ),
  ),
  status: nullable(openEnum(TRUNK_STATUSES, `${STATUS} \`null\` if the list is not managed.`)),
  observed_at: ObservedAt,
  file_trunks: Type.Array(TrunkValue, {
    maxItems: 1_000,
    description: "Trunks in its file. Empty if `source` is not `file`.",
  }),
  unexpected_trunks: Type.Array(TrunkValue, {
    maxItems: 1_000,
    description: "Trunks that it holds and that are not in its list.",
  }),
  unexpected_forwarding: {
    ...nullable(ForwardingValue),
    description: "Forwarding that it holds and that is not in its list. `null` if there is none.",
  },
});

export const TrunkList = shape("TrunkList", {
  switch_group_id: described(Id, "ID of the switch group."),
  revision: Revision,
  is_managed: Type.Boolean({
    description: "Whether the service has a list for this group. Otherwise its switches use their own files.",
  }),
  status: nullable(openEnum(TRUNK_STATUSES, `${STATUS} \`null\` if the list is not managed.`)),
  trunks: Type.Array(Trunk, { maxItems: MOST_TRUNKS, description: "Trunks of the group." }),
  forwarding: {
    ...nullable(
      shape("TrunkForwarding", {
        ...FORWARDING,
        status: Status,
        states: Type.Array(ForwardingState, STATES),
      }),
    ),
    description: "Gateways for forwarded calls. `null` if the group forwards none.",
  },
  switches: Type.Array(TrunkSwitch, {
    maxItems: 1_000,
    description: "Switches of the group that are not retired.",
  }),
  updated_at: nullable(described(DateTime, "Time of the last change. `null` if the list is not managed.")),
});
export type TrunkList = Static<typeof TrunkList>;

const TrunkRevision = shape("TrunkRevision", {
  revision: Revision,
  trunks: Type.Array(shape("RevisedTrunk", SHOWN), {
    maxItems: MOST_TRUNKS,
    description: "Trunks of the group, without passwords.",
  }),
  forwarding: {
    ...nullable(shape("RevisedTrunkForwarding", FORWARDING)),
    description: "Gateways for forwarded calls. `null` if the group forwarded none.",
  },
  opened_networks: Type.Array(Network, {
    maxItems: 10_000,
    description: "Networks that this revision opened.",
  }),
  restored_from: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      format: "int32",
      description: "Earlier revision that was restored. `null` for a new list.",
    }),
  ),
  actor: shape("TrunkRevisionAuthor", {
    id: nullable(described(Id, "ID of the operator. `null` if unknown.")),
    name: nullable(Type.String({ maxLength: 200, description: "Name of the operator. `null` if unknown." })),
  }),
  created_at: described(DateTime, "Time of the change."),
});
export type TrunkRevision = Static<typeof TrunkRevision>;
export const TrunkRevisionPage = pageShape("TrunkRevisionPage", TrunkRevision);
