import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById, PageQuery } from "../../platform/http/shapes.ts";
import {
  type ChangedMember as Changed,
  ChangedMember,
  ChangeRole,
  type Member,
  MemberPage,
  type RemovedMember as Removed,
  RemovedMember,
  RemoveMemberQuery,
} from "./members.schema.ts";
import { changeRole, listMembers, type MemberRow, removeMember } from "./members.ts";

const MANAGERS = { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" } as const;

const listMembersOperation = operation({
  id: "listMembers",
  method: "GET",
  path: "/v1/members",
  tag: "Members",
  summary: "List members",
  description: "Lists the members of the organisation.",
  access: MANAGERS,
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: MemberPage },
  async run(app, { actor, query }) {
    return pageOf(app, { path: "/v1/members", of: actor }, query, {
      rows: (page) => listMembers(app, actor, page),
      item: shownMember,
      position: (row) => row.user_id,
    });
  },
});

const changeRoleOperation = operation({
  id: "changeRole",
  method: "PATCH",
  path: "/v1/members/{id}",
  tag: "Members",
  summary: "Change a member's role",
  description:
    "You cannot assign, change or remove a role above your own. The new role applies from the member's next request. The response lists API keys that the member could not create in the new role. They remain valid unless you set `keys`.",
  access: MANAGERS,
  idempotency: "none",
  params: ById,
  notFound: "member_not_found",
  body: ChangeRole,
  answers: { 200: ChangedMember },
  errors: ["role_too_high", "last_owner"],
  async change(tx, { actor, params, body }, app) {
    const { role, keys: policy = "keep" } = body;
    const { member, keys } = await changeRole(tx, app, actor, { userId: params.id, role, keys: policy });
    const shown: Changed = { ...shownMember(member), keys: keys.map(shownKey) };
    return { status: 200, body: shown };
  },
});

const leaveOrganisationOperation = operation({
  id: "leaveOrganisation",
  method: "DELETE",
  path: "/v1/members/me",
  tag: "Members",
  summary: "Leave the organisation",
  description:
    "API keys that you created for this organisation end in 24 hours. Keys of several organisations are detached from this one.",
  access: { ...MANAGERS, sessions: { roles: "any" } },
  idempotency: "none",
  answers: { 200: RemovedMember },
  errors: ["last_owner"],
  async change(tx, { actor, caller }, app) {
    const keys = await removeMember(tx, app, actor, {
      userId: caller.userId,
      keys: "grace",
      keepKeys: [],
    });
    return { status: 200, body: { user_id: caller.userId, keys: keys.map(shownKey) } };
  },
});

const removeMemberOperation = operation({
  id: "removeMember",
  method: "DELETE",
  path: "/v1/members/{id}",
  tag: "Members",
  summary: "Remove a member",
  description:
    "The response lists the API keys that the member created and their outcome. Keys of several organisations are detached from this one.",
  access: MANAGERS,
  idempotency: "none",
  params: ById,
  notFound: "member_not_found",
  query: RemoveMemberQuery,
  answers: { 200: RemovedMember },
  errors: ["role_too_high", "last_owner"],
  async change(tx, { actor, params, query }, app) {
    const { keys: policy = "grace", keep_key = [] } = query;
    const removal = { userId: params.id, keys: policy, keepKeys: keep_key };
    const keys = await removeMember(tx, app, actor, removal);
    return { status: 200, body: { user_id: params.id, keys: keys.map(shownKey) } };
  },
});

function shownMember(row: MemberRow): Member {
  return {
    user_id: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    joined_at: row.created_at.toISOString(),
  };
}

function shownKey(key: Awaited<ReturnType<typeof removeMember>>[number]): Removed["keys"][number] {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    outcome: key.outcome,
    expires_at: key.expires_at?.toISOString() ?? null,
  };
}

export const membersOperations = [
  listMembersOperation,
  leaveOrganisationOperation,
  changeRoleOperation,
  removeMemberOperation,
];
