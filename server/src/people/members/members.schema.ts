import { type Static, Type } from "typebox";
import { ROLES } from "../../platform/http/access.ts";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { KEY_POLICIES } from "../api-keys/api-keys.ts";

const MEMBER = {
  user_id: described(Id, "ID of the user."),
  name: Type.String({ maxLength: 200, description: "Name of the user." }),
  email: Type.String({ maxLength: 254, description: "Email address of the user." }),
  role: openEnum(ROLES, "Role in the organisation."),
  joined_at: described(DateTime, "Time when the user joined the organisation."),
};

export const Member = shape("Member", MEMBER);
export type Member = Static<typeof Member>;

export const MemberPage = pageShape("MemberPage", Member);

const KeyPolicy = closedEnum(KEY_POLICIES);

export const ChangeRole = shape("ChangeRole", {
  role: described(closedEnum(ROLES), "New role of the member."),
  keys: Type.Optional({
    ...KeyPolicy,
    description:
      "Policy for API keys that the member created but could not create in the new role. `end`: they end at once. `grace`: they end in 24 hours. `keep`: they remain valid (default). Keys of several organisations are detached from this one instead of ended.",
  }),
});

export const RemoveMemberQuery = Type.Object(
  {
    keys: Type.Optional({
      ...KeyPolicy,
      description:
        "Policy for API keys that the member created. `end`: they end at once. `grace`: they end in 24 hours (default). `keep`: they remain valid. Keys of several organisations are always detached from this one.",
    }),
    keep_key: Type.Optional(
      Type.Array(Id, {
        maxItems: 50,
        description: "IDs of keys that remain valid regardless of `keys`.",
      }),
    ),
  },
  { additionalProperties: false },
);

const LeftBehindKey = shape("LeftBehindKey", {
  id: described(Id, "ID of the key."),
  name: Type.String({ maxLength: 100, description: "Name of the key." }),
  hint: Type.String({ maxLength: 4, description: "Last four characters of the key." }),
  outcome: described(
    openEnum(["kept", "ended", "expires", "detached"]),
    "`kept`: the key remains valid. `ended`: it was revoked. `expires`: it ends at `expires_at`. `detached`: it was removed from this organisation only. New values may be added.",
  ),
  expires_at: described(nullable(DateTime), "Time when the key expires. `null` if it does not expire."),
});

export const ChangedMember = shape("ChangedMember", {
  ...MEMBER,
  keys: Type.Array(LeftBehindKey, {
    maxItems: 1000,
    description: "Active API keys that the member created but could not create in the new role.",
  }),
});
export type ChangedMember = Static<typeof ChangedMember>;

export const RemovedMember = shape("RemovedMember", {
  user_id: described(Id, "ID of the removed user."),
  keys: Type.Array(LeftBehindKey, {
    maxItems: 1000,
    description: "Active API keys of the organisation that the member created.",
  }),
});
export type RemovedMember = Static<typeof RemovedMember>;
