import { type Static, Type } from "typebox";
import { ROLES } from "../../platform/http/access.ts";
import {
  closedEnum,
  DateTime,
  Id,
  nullable,
  openEnum,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { KEY_POLICIES } from "../api-keys/api-keys.ts";

const MEMBER = {
  user_id: Id,
  name: Type.String({ maxLength: 200 }),
  email: Type.String({ maxLength: 254 }),
  role: openEnum(ROLES),
  joined_at: DateTime,
};

export const Member = shape("Member", MEMBER);
export type Member = Static<typeof Member>;

export const MemberPage = pageShape("MemberPage", Member);

const KeyPolicy = closedEnum(KEY_POLICIES);

export const ChangeRole = shape("ChangeRole", {
  role: closedEnum(ROLES),
  keys: Type.Optional({
    ...KeyPolicy,
    description:
      "What happens to API keys that the person created and could not create in the new role: they end at once (`end`), in 24 hours (`grace`) or not at all (`keep`, the default). A key of several organisations loses this one instead.",
  }),
});

export const RemoveMemberQuery = Type.Object(
  {
    keys: Type.Optional({
      ...KeyPolicy,
      description:
        "What happens to API keys that this person created: they end at once (`end`), in 24 hours (`grace`, the default) or not at all (`keep`). A key of several organisations always loses this one.",
    }),
    keep_key: Type.Optional(
      Type.Array(Id, {
        maxItems: 50,
        description: "Keys that keep working, whatever `keys` says.",
      }),
    ),
  },
  { additionalProperties: false },
);

const LeftBehindKey = shape("LeftBehindKey", {
  id: Id,
  name: Type.String({ maxLength: 100 }),
  hint: Type.String({ maxLength: 4 }),
  outcome: openEnum(["kept", "ended", "expires", "detached"]),
  expires_at: nullable(DateTime),
});

export const ChangedMember = shape("ChangedMember", {
  ...MEMBER,
  keys: Type.Array(LeftBehindKey, {
    maxItems: 1000,
    description:
      "Active API keys that the person created and could not create in the new role, and what happens to them.",
  }),
});
export type ChangedMember = Static<typeof ChangedMember>;

export const RemovedMember = shape("RemovedMember", {
  user_id: Id,
  keys: Type.Array(LeftBehindKey, {
    maxItems: 1000,
    description: "Active API keys of the organisation that this person created, and what happens to them.",
  }),
});
export type RemovedMember = Static<typeof RemovedMember>;
