import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  described,
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
  description: "ID of the epoch that ended.",
  examples: ["7f7c3d1e-5a0e-4c55-9d0b-2f6f1f0a8a51"],
});
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" });
const Counter = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });
const ItemCount = Type.Integer({ ...Count, description: "Count of routes and connections in the state." });

export const ByEndedEpoch = Type.Object({ epoch: EpochId }, { additionalProperties: false });

export const AnnouncedStates = shape("AnnouncedStates", {
  states: Type.Array(
    shape("AnnouncedState", {
      epoch: EpochId,
      saved_at: described(DateTime, "Time when the agent saved the state."),
      items: ItemCount,
      hold: Type.Optional(
        described(EpochId, "Epoch of the restore that began when the agent saved the state."),
      ),
    }),
    {
      maxItems: MOST_STATES,
      description: "Saved states of the agent.",
    },
  ),
});
export type AnnouncedStates = Static<typeof AnnouncedStates>;

export const RequestedStates = shape("RequestedStates", {
  requested: Type.Array(EpochId, {
    maxItems: MOST_STATES,
    description: "Epochs of the states that an operator has requested and the agent has not uploaded yet.",
  }),
});

const ITEM = {
  kind: described(closedEnum(["route", "connection"]), "Type of the item."),
  id: described(Id, "ID of the number or connection."),
  shard: described(Count, "Number of the shard."),
  version: described(Counter, "Version of the item in its shard."),
  generation: described(Counter, "Generation of the routing or connection."),
};

export const SavedStatePart = shape("SavedStatePart", {
  items: Type.Array(
    shape("UploadedItem", {
      ...ITEM,
      organisation_id: Type.Optional(described(Id, "Organisation of the item.")),
      value: described(HeldValue, "Value of the route or connection."),
    }),
    { maxItems: MOST_ITEMS, description: "Items of this part." },
  ),
  is_last: Type.Boolean({ description: "Whether this part completes the state." }),
});
export type SavedStatePart = Static<typeof SavedStatePart>;

export const SavedState = shape("SavedState", {
  id: described(Id, "ID of the saved state."),
  switch_id: described(Id, "ID of the switch."),
  epoch: EpochId,
  saved_at: described(DateTime, "Time when the agent saved the state."),
  items: ItemCount,
  status: Type.Unsafe<"on_switch" | "requested" | "uploaded">({
    ...openEnum(["on_switch", "requested", "uploaded"]),
    description:
      "`on_switch`: only the agent has it. `requested`: the agent uploads it within a minute of connecting. `uploaded`: you can list its items.",
  }),
  requested_at: described(
    nullable(DateTime),
    "Time when an operator requested the state. `null` if none did.",
  ),
  uploaded_at: described(nullable(DateTime), "Time when the upload finished. `null` until then."),
});
export type SavedState = Static<typeof SavedState>;

export const SavedStatesQuery = Type.Object(
  {
    ...PageQuery,
    switch_id: Type.Optional(Type.String({ ...Id, description: "Only states of this switch." })),
  },
  { additionalProperties: false },
);
export const SavedStatePage = pageShape("SavedStatePage", SavedState);

export const SavedStateItem = shape("SavedStateItem", {
  ...ITEM,
  value: Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    description: "Desired value at the switch: a route with its number, or a connection with its targets.",
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
        description: "Only the route of this phone number in E.164 format.",
        examples: ["+493012345678"],
      }),
    ),
  },
  { additionalProperties: false },
);
export const SavedStateItemPage = pageShape("SavedStateItemPage", SavedStateItem);
