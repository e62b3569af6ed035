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

export const Member = shape("Member", {
  user_id: Id,
  name: Type.String({ maxLength: 200 }),
  email: Type.String({ maxLength: 254 }),
  role: openEnum(ROLES),
  joined_at: DateTime,
});
export type Member = Static<typeof Member>;

export const MemberPage = pageShape("MemberPage", Member);

export const ChangeRole = shape("ChangeRole", { role: closedEnum(ROLES) });

export const RemoveMemberQuery = Type.Object(
  {
    keep_key: Type.Optional(
      Type.Array(Id, {
        maxItems: 50,
        description: "Keys this person made that should go on working. The others end in 24 hours.",
      }),
    ),
  },
  { additionalProperties: false },
);

export const RemovedMember = shape("RemovedMember", {
  user_id: Id,
  keys: Type.Array(
    shape("LeftBehindKey", {
      id: Id,
      name: Type.String({ maxLength: 100 }),
      hint: Type.String({ maxLength: 4 }),
      outcome: openEnum(["kept", "expires", "detached"]),
      expires_at: nullable(DateTime),
    }),
    {
      maxItems: 1000,
      description: "Keys of the organisation this person had made, and what becomes of them.",
    },
  ),
});
export type RemovedMember = Static<typeof RemovedMember>;
