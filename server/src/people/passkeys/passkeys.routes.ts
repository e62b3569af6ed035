import { operation } from "../../app.ts";
import { ById } from "../../platform/http/shapes.ts";
import {
  AddPasskey,
  Passkey,
  type Passkey as Shown,
  PasskeyChallenge,
  PasskeyPage,
  RenamePasskey,
} from "./passkeys.schema.ts";
import {
  addPasskey,
  askForPasskey,
  beginPasskey,
  listPasskeys,
  type PasskeyRow,
  removePasskey,
  renamePasskey,
} from "./passkeys.ts";

const OWN = { callers: "authenticated", sessions: { roles: "any" }, keys: "none" } as const;
const OWN_RECENT = { ...OWN, sessions: { roles: "any", browser: true, recent: true } } as const;

const listPasskeysOperation = operation({
  id: "listPasskeys",
  method: "GET",
  path: "/v1/me/passkeys",
  tag: "Account",
  summary: "List your passkeys",
  description: "Lists the passkeys of your account.",
  access: OWN,
  idempotency: "none",
  answers: { 200: PasskeyPage },
  async run(app, { caller }) {
    const rows = await listPasskeys(app, caller);
    return { status: 200, body: { data: rows.map(shownPasskey), next_cursor: null } };
  },
});

const beginPasskeyOperation = operation({
  id: "beginPasskey",
  method: "POST",
  path: "/v1/me/passkeys/challenges",
  tag: "Account",
  summary: "Create a passkey challenge",
  description:
    "Returns the options for the browser to create a passkey. The challenge works once within five minutes.",
  access: OWN_RECENT,
  idempotency: "none",
  answers: { 200: PasskeyChallenge },
  async run(app, { caller }) {
    return { status: 200, body: { options: await beginPasskey(app, caller) } };
  },
});

const addPasskeyOperation = operation({
  id: "addPasskey",
  method: "POST",
  path: "/v1/me/passkeys",
  tag: "Account",
  summary: "Add a passkey",
  description: "Send the credential that the browser created from a challenge.",
  access: OWN_RECENT,
  idempotency: "none",
  body: AddPasskey,
  answers: { 201: Passkey },
  errors: ["challenge_not_valid", "passkey_not_valid", "passkey_limit_reached"],
  async run(app, { caller, body, origin }) {
    const added = await addPasskey(app, caller, body, origin);
    return {
      status: 201,
      body: shownPasskey(added),
      headers: { location: `${app.config.baseUrl}/v1/me/passkeys/${added.id}` },
    };
  },
});

const renamePasskeyOperation = operation({
  id: "renamePasskey",
  method: "PATCH",
  path: "/v1/me/passkeys/{id}",
  tag: "Account",
  summary: "Rename a passkey",
  description: "Changes only the name.",
  access: OWN_RECENT,
  idempotency: "none",
  params: ById,
  notFound: "passkey_not_found",
  body: RenamePasskey,
  answers: { 200: Passkey },
  async run(app, { caller, params, body, origin }) {
    const renamed = await renamePasskey(app, caller, { id: params.id, name: body.name }, origin);
    return { status: 200, body: shownPasskey(renamed) };
  },
});

const removePasskeyOperation = operation({
  id: "removePasskey",
  method: "DELETE",
  path: "/v1/me/passkeys/{id}",
  tag: "Account",
  summary: "Remove a passkey",
  description: "Ends all your other sessions.",
  access: OWN_RECENT,
  idempotency: "none",
  params: ById,
  notFound: "passkey_not_found",
  answers: { 204: null },
  async run(app, { caller, params, origin }) {
    await removePasskey(app, caller, params.id, origin);
    return { status: 204 };
  },
});

const askForPasskeyOperation = operation({
  id: "askForPasskey",
  method: "POST",
  path: "/v1/sessions/passkey-challenges",
  tag: "Sessions",
  summary: "Create a passkey sign-in challenge",
  description:
    "Returns the options for the browser to request a passkey, for sign-in or reauthentication. The challenge works once within five minutes.",
  access: { callers: "anyone" },
  idempotency: "none",
  answers: { 201: PasskeyChallenge },
  async run(app, { origin }) {
    return { status: 201, body: { options: await askForPasskey(app, origin) } };
  },
});

function shownPasskey(row: PasskeyRow): Shown {
  return {
    id: row.id,
    name: row.name,
    is_synced: row.is_synced,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

export const passkeysOperations = [
  listPasskeysOperation,
  beginPasskeyOperation,
  addPasskeyOperation,
  renamePasskeyOperation,
  removePasskeyOperation,
  askForPasskeyOperation,
];
