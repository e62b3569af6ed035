import type { ErrorCode } from "../platform/error-catalogue.ts";
import type { Json, JsonObject } from "./contract.schemas.ts";
import { EVENT_ID } from "./example-story.events.ts";
import { ID } from "./example-story.ids.ts";
import { NUMBER_ANSWERS, NUMBER_EXAMPLES, NUMBER_PARAMETERS } from "./example-story.numbers.ts";
import { OPERATOR_ANSWERS, OPERATOR_EXAMPLES, OPERATOR_PARAMETERS } from "./example-story.operator.ts";
import { ORDER_ANSWERS, ORDER_EXAMPLES, ORDER_PARAMETERS } from "./example-story.orders.ts";
import { OVERVIEW_EXAMPLES } from "./example-story.overview.ts";
import { PEOPLE_ANSWERS, PEOPLE_EXAMPLES, PEOPLE_PARAMETERS } from "./example-story.people.ts";
import { REQUIREMENT_ANSWERS, REQUIREMENT_EXAMPLES } from "./example-story.requirements.ts";
import { NORTHWIND, SIGN_IN_ANSWERS, SIGN_IN_EXAMPLES } from "./example-story.sign-in.ts";
import { PROBE_ANSWERS, PROBE_EXAMPLES } from "./example-story.probes.ts";
import { RESTORE_ANSWERS, RESTORE_EXAMPLES, RESTORE_PARAMETERS } from "./example-story.restores.ts";
import { SWITCH_EXAMPLES } from "./example-story.switches.ts";
import { TRUNK_ANSWERS, TRUNK_EXAMPLES } from "./example-story.trunks.ts";
import { TIMELINE_EXAMPLES, TIMELINE_PARAMETERS } from "./example-story.timeline.ts";

/** Examples by title of their schema. */
export const STORY: Readonly<Record<string, Json>> = {
  ...NUMBER_EXAMPLES,
  ...TIMELINE_EXAMPLES,
  ...OVERVIEW_EXAMPLES,
  ...ORDER_EXAMPLES,
  ...REQUIREMENT_EXAMPLES,
  ...SIGN_IN_EXAMPLES,
  ...PEOPLE_EXAMPLES,
  ...OPERATOR_EXAMPLES,
  ...SWITCH_EXAMPLES,
  ...TRUNK_EXAMPLES,
  ...PROBE_EXAMPLES,
  ...RESTORE_EXAMPLES,
};

/** Successful responses that differ from the example of their schema, by operation. */
export const STORY_ANSWERS: Readonly<Record<string, Json>> = {
  ...NUMBER_ANSWERS,
  ...ORDER_ANSWERS,
  ...REQUIREMENT_ANSWERS,
  ...SIGN_IN_ANSWERS,
  ...PEOPLE_ANSWERS,
  ...OPERATOR_ANSWERS,
  ...TRUNK_ANSWERS,
  ...PROBE_ANSWERS,
  ...RESTORE_ANSWERS,
};

/** Values of parameters, by operation. */
export const STORY_PARAMETERS: Readonly<Record<string, JsonObject>> = {
  ...NUMBER_PARAMETERS,
  ...TIMELINE_PARAMETERS,
  ...ORDER_PARAMETERS,
  ...PEOPLE_PARAMETERS,
  ...OPERATOR_PARAMETERS,
  ...RESTORE_PARAMETERS,
};

/** IDs in paths, by the path in front of them. */
export const STORY_PATHS: Readonly<Record<string, string>> = {
  "/v1/me/passkeys": ID.passkey,
  "/v1/sessions": ID.toolSession,
  "/v1/members": ID.grace,
  "/v1/invitations": ID.invitation,
  "/v1/identity-providers": ID.identityProvider,
  "/v1/api-keys": ID.key,
  "/v1/numbers": ID.sales,
  "/v1/numbers/bulk": ID.bulkChange,
  "/v1/numbers/reservations": ID.reservation,
  "/v1/numbers/orders": ID.order,
  "/v1/probes": ID.probe,
  "/v1/probe-schedules": ID.probeSchedule,
  "/v1/addresses": ID.address,
  "/v1/documents": ID.document,
  "/v1/connections": ID.berlin,
  "/v1/jobs": ID.orderJob,
  "/v1/webhook-endpoints": ID.endpoint,
  "/operator/v1/organisations": ID.organisation,
  "/operator/v1/users": ID.grace,
  "/operator/v1/numbers": ID.sales,
  "/operator/v1/carriers": ID.carrier,
  "/operator/v1/reconciliations": ID.reconciliation,
  "/operator/v1/findings": ID.finding,
  "/operator/v1/switch-groups": ID.switchGroup,
  "/operator/v1/switches": ID.switch,
  "/operator/v1/epochs": ID.epoch,
  "/operator/v1/restores": ID.restore,
  "/operator/v1/restore-findings": ID.restoreFinding,
  "/operator/v1/saved-states": ID.savedState,
  "/switch/v1/saved-states": ID.endedEpoch,
};

/** Members that only problems with this code have. */
export const STORY_PROBLEMS: Partial<Readonly<Record<ErrorCode, JsonObject>>> = {
  invalid_request: { errors: [{ pointer: "#/name", code: "required", detail: "name is required." }] },
  scope_missing: { scopes: ["numbers_write", "full"] },
  role_not_allowed: { roles: ["owner", "admin"] },
  organisation_second_factor_required: { organisation: NORTHWIND },
  session_too_old: { organisation: NORTHWIND },
  single_sign_on_required: {
    organisation: NORTHWIND,
    identity_providers: [{ id: ID.identityProvider, name: "Northwind SSO" }],
  },
  organisation_required: {
    organisations: [NORTHWIND, { id: ID.otherOrganisation, name: "Northwind Labs" }],
  },
  rate_limited: { policy: "requests" },
  generation_mismatch: { generation: 3 },
  trunks_changed: { revision: 5 },
  networks_not_confirmed: { networks: ["198.51.100.0/24"] },
  release_in_progress: { job_id: ID.releaseJob },
  restore_in_progress: { job_id: ID.restoreJob },
  idempotency_key_reused: { order_id: ID.order },
};

/** Every ID that an example can contain. */
export const STORY_IDS: ReadonlySet<string> = new Set([...Object.values(ID), ...Object.values(EVENT_ID)]);
