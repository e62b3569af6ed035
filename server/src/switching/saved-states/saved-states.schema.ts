import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { HeldValue } from "../feed/feed.ts";

/** An agent keeps three; one that runs next to a restored file may show a few more. */
const MOST_STATES = 10;
const MOST_ITEMS = 1_000;

const EpochId = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "^[0-9A-Za-z_-]+$",
  description: "The epoch that ended.",
  examples: ["7f7c3d1e-5a0e-4c55-9d0b-2f6f1f0a8a51"],
});
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" });
const Counter = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });
const ItemCount = Type.Integer({ ...Count, description: "How many routes and connections the state has." });

export const ByEndedEpoch = Type.Object({ epoch: EpochId }, { additionalProperties: false });

export const AnnouncedStates = shape("AnnouncedStates", {
  states: Type.Array(shape("AnnouncedState", { epoch: EpochId, saved_at: DateTime, items: ItemCount }), {
    maxItems: MOST_STATES,
  }),
});
export type AnnouncedStates = Static<typeof AnnouncedStates>;

export const RequestedStates = shape("RequestedStates", {
  requested: Type.Array(EpochId, {
    maxItems: MOST_STATES,
    description: "The epochs of the states that an operator asked for and that are not uploaded yet.",
  }),
});

const ITEM = {
  kind: closedEnum(["route", "connection"]),
  id: Id,
  shard: Count,
  version: Counter,
  generation: Counter,
};

export const SavedStatePart = shape("SavedStatePart", {
  items: Type.Array(shape("UploadedItem", { ...ITEM, value: HeldValue }), { maxItems: MOST_ITEMS }),
  is_last: Type.Boolean({ description: "Whether this part completes the state." }),
});
export type SavedStatePart = Static<typeof SavedStatePart>;

export const SavedState = shape("SavedState", {
  id: Id,
  switch_id: Id,
  epoch: EpochId,
  saved_at: DateTime,
  items: ItemCount,
  status: Type.Unsafe<"on_switch" | "requested" | "uploaded">({
    ...openEnum(["on_switch", "requested", "uploaded"]),
    description:
      "`on_switch`: only the agent has it. `requested`: the agent uploads it within a minute, once it reaches the service. `uploaded`: you can list its items.",
  }),
  requested_at: nullable(DateTime),
  uploaded_at: nullable(DateTime),
});
export type SavedState = Static<typeof SavedState>;

export const SavedStatesQuery = Type.Object(
  {
    ...PageQuery,
    switch_id: Type.Optional(Type.String({ ...Id, description: "Only those of this switch." })),
  },
  { additionalProperties: false },
);
export const SavedStatePage = pageShape("SavedStatePage", SavedState);

export const SavedStateItem = shape("SavedStateItem", {
  ...ITEM,
  value: Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    description:
      "What the switch was told to hold: a route with its number, or a connection with its targets.",
    examples: [{ e164: "+493012345678", mode: "sip_uri", sip_uri: "sip:reception@pbx.example.com" }],
  }),
});
export type SavedStateItem = Static<typeof SavedStateItem>;

export const SavedStateItemsQuery = Type.Object(
  {
    ...PageQuery,
    number: Type.Optional(
      Type.String({
        maxLength: 16,
        description: "Only the route of this number, in E.164 format.",
        examples: ["+493012345678"],
      }),
    ),
  },
  { additionalProperties: false },
);
export const SavedStateItemPage = pageShape("SavedStateItemPage", SavedStateItem);
