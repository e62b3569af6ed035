import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById, PageQuery } from "../../platform/http/shapes.ts";
import { ApiKey, ApiKeyPage, ApiKeyWithSecret, CreateApiKey, RotateApiKey } from "./api-keys.schema.ts";
import {
  type ApiKeyRow,
  confirmApiKey,
  createApiKey,
  detachApiKey,
  hasApiKey,
  isActive,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from "./api-keys.ts";

const MAKERS = ["owner", "admin", "developer"] as const;
const MANAGING = { callers: "organisation", sessions: { roles: MAKERS }, keys: "none" } as const;
/** Only in the dashboard, within 10 minutes of entering the password. */
const MAKING = {
  callers: "organisation",
  sessions: { roles: MAKERS, browser: true, recent: true },
  keys: "none",
} as const;

const createApiKeyOperation = operation({
  id: "createApiKey",
  method: "POST",
  path: "/v1/api-keys",
  tag: "API keys",
  summary: "Create an API key",
  description:
    "The response contains the secret, which is never shown again. The key belongs to the environment it is created in.",
  access: MAKING,
  idempotency: "none",
  http: { hasSecret: true },
  body: CreateApiKey,
  answers: { 201: ApiKeyWithSecret },
  errors: ["api_key_limit_reached"],
  async run(app, { actor, caller, body }) {
    const { key, secret } = await createApiKey(app, { ...actor, caller }, body);
    return { status: 201, body: { ...shownKey(key, app.clock.now()), secret } };
  },
});

const listApiKeysOperation = operation({
  id: "listApiKeys",
  method: "GET",
  path: "/v1/api-keys",
  tag: "API keys",
  summary: "List API keys",
  description: "Lists the API keys of the organisation in this environment.",
  access: MANAGING,
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: ApiKeyPage },
  async run(app, { actor, query }) {
    const now = app.clock.now();
    return pageOf(app, { path: "/v1/api-keys", of: actor }, query, {
      rows: (page) => listApiKeys(app, actor, page),
      item: (row) => shownKey(row, now),
      position: (row) => row.id,
    });
  },
});

const rotateApiKeyOperation = operation({
  id: "rotateApiKey",
  method: "POST",
  path: "/v1/api-keys/{id}/rotate",
  tag: "API keys",
  summary: "Rotate an API key",
  description:
    "Creates a new key with the same name, scopes, networks, organisations and lifetime. The old key remains valid for `overlap_hours`.",
  access: MAKING,
  idempotency: "none",
  http: { hasSecret: true },
  params: ById,
  notFound: "api_key_not_found",
  body: RotateApiKey,
  answers: { 201: ApiKeyWithSecret },
  errors: ["api_key_not_active", "api_key_limit_reached"],
  async run(app, { actor, caller, params, body }) {
    const { key, secret } = await rotateApiKey(app, { ...actor, caller }, params.id, body);
    return { status: 201, body: { ...shownKey(key, app.clock.now()), secret } };
  },
});

const revokeApiKeyOperation = operation({
  id: "revokeApiKey",
  method: "DELETE",
  path: "/v1/api-keys/{id}",
  tag: "API keys",
  summary: "Revoke an API key",
  description: "The key stops working within a second, in all organisations it belongs to.",
  access: MANAGING,
  idempotency: "none",
  params: ById,
  notFound: "api_key_not_found",
  answers: { 204: null },
  async change(tx, { actor, params }, app) {
    await revokeApiKey(tx, app, actor, params.id);
    return { status: 204 };
  },
});

const detachApiKeyOperation = operation({
  id: "detachApiKey",
  method: "POST",
  path: "/v1/api-keys/{id}/detach",
  tag: "API keys",
  summary: "Detach a key from the organisation",
  description: "Other organisations of the key keep it.",
  access: MANAGING,
  idempotency: "optional",
  params: ById,
  notFound: "api_key_not_found",
  answers: { 204: null },
  isVisible: (tx, { params }) => hasApiKey(tx, params.id),
  async change(tx, { actor, params }, app) {
    await detachApiKey(tx, app, actor, params.id);
    return { status: 204 };
  },
});

const confirmApiKeyOperation = operation({
  id: "confirmApiKey",
  method: "POST",
  path: "/v1/api-keys/{id}/confirm",
  tag: "API keys",
  summary: "Confirm an API key",
  description:
    "Keys can be suspended after a restore of the database, because a key that was revoked since the backup is valid again in it. Confirm keys that you know and still use, and revoke the others.",
  access: { callers: "organisation", sessions: { roles: ["owner"], recent: true }, keys: "none" },
  idempotency: "optional",
  params: ById,
  notFound: "api_key_not_found",
  answers: { 200: ApiKey },
  isVisible: (tx, { params }) => hasApiKey(tx, params.id),
  async change(tx, { actor, params }, app) {
    const key = await confirmApiKey(tx, app, actor, params.id);
    return { status: 200, body: shownKey(key, app.clock.now()) };
  },
});

function statusOf(row: ApiKeyRow, now: Date): ApiKey["status"] {
  if (row.revoked_at) return "revoked";
  if (!isActive(row, now)) return "expired";
  return row.suspended_at ? "suspended" : "active";
}

function shownKey(row: ApiKeyRow, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    hint: row.hint,
    scopes: row.scopes,
    status: statusOf(row, now),
    allowed_networks: row.allowed_networks,
    is_shared: row.organisation_count > 1,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    replaces_id: row.replaces_id,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

export const apiKeysOperations = [
  createApiKeyOperation,
  listApiKeysOperation,
  rotateApiKeyOperation,
  revokeApiKeyOperation,
  detachApiKeyOperation,
  confirmApiKeyOperation,
];
