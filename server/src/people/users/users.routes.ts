import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import {
  disableUser,
  enableUser,
  endUserSessions,
  getUser,
  listUsers,
  removeUserAuthenticator,
  type UserDetails,
} from "./users.containment.ts";
import { DisableUser, User, UserPage, UsersQuery } from "./users.schema.ts";

const OF_OPERATOR = { tag: "Users", access: { callers: "operator" }, idempotency: "none" } as const;
const OF_ONE = { ...OF_OPERATOR, params: ById, notFound: "user_not_found", answers: { 200: User } } as const;

const listUsersOperation = operation({
  ...OF_OPERATOR,
  id: "listUsers",
  method: "GET",
  path: "/operator/v1/users",
  summary: "List users",
  description: "Lists all users of the installation, or the one with the given email address.",
  query: UsersQuery,
  answers: { 200: UserPage },
  async run(app, { query }) {
    const list = { path: "/operator/v1/users", of: "installation", filters: { email: query.email } } as const;
    return pageOf(app, list, query, {
      rows: (page) => listUsers(app, query.email, page),
      item: shownUser,
      position: (row) => row.id,
    });
  },
});

const getUserOperation = operation({
  ...OF_ONE,
  id: "getUser",
  method: "GET",
  path: "/operator/v1/users/{id}",
  summary: "Get a user",
  description: "Includes the user's organisations and counts of sessions and API keys.",
  async run(app, { params }) {
    return { status: 200, body: shownUser(await getUser(app, params.id)) };
  },
});

const disableUserOperation = operation({
  ...OF_ONE,
  id: "disableUser",
  method: "POST",
  path: "/operator/v1/users/{id}/disable",
  summary: "Disable a user",
  description:
    "Ends all sessions and prevents sign-in, within a second. API keys that the user created remain valid. Revoke them in their organisations.",
  body: DisableUser,
  errors: ["own_account"],
  async run(app, { caller, params, body, origin }) {
    const row = await disableUser(app, operatorOf(caller, origin), params.id, body.reason);
    return { status: 200, body: shownUser(row) };
  },
});

const enableUserOperation = operation({
  ...OF_ONE,
  id: "enableUser",
  method: "POST",
  path: "/operator/v1/users/{id}/enable",
  summary: "Enable a user",
  description: "The user can sign in again. Earlier sessions stay ended.",
  async run(app, { caller, params, origin }) {
    return { status: 200, body: shownUser(await enableUser(app, operatorOf(caller, origin), params.id)) };
  },
});

const endUserSessionsOperation = operation({
  ...OF_ONE,
  id: "endUserSessions",
  method: "POST",
  path: "/operator/v1/users/{id}/end-sessions",
  summary: "End a user's sessions",
  description: "Ends all sessions in browsers and tools. The user can sign in again.",
  async run(app, { caller, params, origin }) {
    const row = await endUserSessions(app, operatorOf(caller, origin), params.id);
    return { status: 200, body: shownUser(row) };
  },
});

const removeUserAuthenticatorOperation = operation({
  ...OF_ONE,
  id: "removeUserAuthenticator",
  method: "POST",
  path: "/operator/v1/users/{id}/remove-authenticator",
  summary: "Remove a user's authenticator app",
  description:
    "For users who lost the app and the recovery codes. Ends all sessions. The next sign-in requires only the password. The user receives an email.",
  errors: ["authenticator_not_found", "own_account"],
  async run(app, { caller, params, origin }) {
    const row = await removeUserAuthenticator(app, operatorOf(caller, origin), params.id);
    return { status: 200, body: shownUser(row) };
  },
});

function shownUser(row: UserDetails): User {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    disabled_at: row.disabled_at?.toISOString() ?? null,
  };
}

export const usersOperations = [
  listUsersOperation,
  getUserOperation,
  disableUserOperation,
  enableUserOperation,
  endUserSessionsOperation,
  removeUserAuthenticatorOperation,
];
