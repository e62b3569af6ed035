import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById, PageQuery } from "../../platform/http/shapes.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import { SwitchExceptionPage } from "./switches.exceptions.schema.ts";
import {
  ChangeSwitch,
  CreateSwitch,
  CreateSwitchGroup,
  Switch,
  SwitchGroup,
  SwitchGroupPage,
  SwitchPage,
  SwitchWithCredential,
} from "./switches.schema.ts";
import {
  changeSwitch,
  createSwitch,
  createSwitchGroup,
  getSwitch,
  getSwitchGroup,
  listSwitches,
  listSwitchExceptions,
  listSwitchGroups,
  rotateCredential,
  shownState,
  type SwitchExceptionRow,
  type SwitchGroupRow,
  type SwitchRow,
} from "./switches.ts";

const listSwitchGroupsOperation = operation({
  id: "listSwitchGroups",
  method: "GET",
  path: "/operator/v1/switch-groups",
  tag: "Switches",
  summary: "List switch groups",
  description: "Lists all switch groups of the installation.",
  access: { callers: "operator" },
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: SwitchGroupPage },
  async run(app, { query }) {
    return pageOf(app, { path: "/operator/v1/switch-groups", of: "installation" }, query, {
      rows: (page) => listSwitchGroups(app, page),
      item: shownGroup,
      position: (row) => row.id,
    });
  },
});

const createSwitchGroupOperation = operation({
  id: "createSwitchGroup",
  method: "POST",
  path: "/operator/v1/switch-groups",
  tag: "Switches",
  summary: "Create a switch group",
  description: "All switches of a group serve the same numbers. Each number belongs to one group.",
  access: { callers: "operator" },
  idempotency: "none",
  body: CreateSwitchGroup,
  answers: { 201: SwitchGroup },
  errors: ["switch_name_taken"],
  async run(app, { caller, body, origin }) {
    const group = await createSwitchGroup(app, operatorOf(caller, origin), body);
    const location = `${app.config.baseUrl}/operator/v1/switch-groups/${group.id}`;
    return { status: 201, body: shownGroup(group), headers: { location } };
  },
});

const getSwitchGroupOperation = operation({
  id: "getSwitchGroup",
  method: "GET",
  path: "/operator/v1/switch-groups/{id}",
  tag: "Switches",
  summary: "Get a switch group",
  description: "Includes its number of shards.",
  access: { callers: "operator" },
  idempotency: "none",
  params: ById,
  notFound: "switch_group_not_found",
  answers: { 200: SwitchGroup },
  async run(app, { params }) {
    return { status: 200, body: shownGroup(await getSwitchGroup(app, params.id)) };
  },
});

const listSwitchesOperation = operation({
  id: "listSwitches",
  method: "GET",
  path: "/operator/v1/switches",
  tag: "Switches",
  summary: "List switches",
  description: "Includes the lag, exceptions and alarms of each switch.",
  access: { callers: "operator" },
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: SwitchPage },
  async run(app, { query }) {
    return pageOf(app, { path: "/operator/v1/switches", of: "installation" }, query, {
      rows: (page) => listSwitches(app, page),
      item: (row) => shownSwitch(row, app.clock.now()),
      position: (row) => row.id,
    });
  },
});

const getSwitchOperation = operation({
  id: "getSwitch",
  method: "GET",
  path: "/operator/v1/switches/{id}",
  tag: "Switches",
  summary: "Get a switch",
  description: "Includes its lag, exceptions and alarms.",
  access: { callers: "operator" },
  idempotency: "none",
  params: ById,
  notFound: "switch_not_found",
  answers: { 200: Switch },
  async run(app, { params }) {
    return { status: 200, body: shownSwitch(await getSwitch(app, params.id), app.clock.now()) };
  },
});

const listSwitchExceptionsOperation = operation({
  id: "listSwitchExceptions",
  method: "GET",
  path: "/operator/v1/switches/{id}/exceptions",
  tag: "Switches",
  summary: "List exceptions of a switch",
  description:
    "Lists numbers and connections whose value on this switch is not the expected one, by ID. Includes those that drifted and were repaired, until ten minutes have passed without drift.",
  access: { callers: "operator" },
  idempotency: "none",
  params: ById,
  notFound: "switch_not_found",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: SwitchExceptionPage },
  async run(app, { params, query }) {
    const path = `/operator/v1/switches/${params.id}/exceptions`;
    return pageOf(app, { path, of: "installation" }, query, {
      rows: (page) => listSwitchExceptions(app, params.id, page),
      item: shownException,
      position: (row) => row.id,
    });
  },
});

const createSwitchOperation = operation({
  id: "createSwitch",
  method: "POST",
  path: "/operator/v1/switches",
  tag: "Switches",
  summary: "Register a switch",
  description: "The response contains the credential of the switch's agent, which is never shown again.",
  access: { callers: "operator" },
  idempotency: "none",
  http: { hasSecret: true },
  body: CreateSwitch,
  answers: { 201: SwitchWithCredential },
  errors: ["switch_group_not_found", "switch_name_taken"],
  async run(app, { caller, body, origin }) {
    const { row, credential } = await createSwitch(app, operatorOf(caller, origin), body);
    return { status: 201, body: { ...shownSwitch(row, app.clock.now()), credential } };
  },
});

const rotateSwitchCredentialOperation = operation({
  id: "rotateSwitchCredential",
  method: "POST",
  path: "/operator/v1/switches/{id}/rotate",
  tag: "Switches",
  summary: "Rotate a switch credential",
  description: "The old credential and the agent's stream end within a second. Calls are not affected.",
  access: { callers: "operator" },
  idempotency: "none",
  http: { hasSecret: true },
  params: ById,
  notFound: "switch_not_found",
  answers: { 201: SwitchWithCredential },
  async run(app, { caller, params, origin }) {
    const { row, credential } = await rotateCredential(app, operatorOf(caller, origin), params.id);
    return { status: 201, body: { ...shownSwitch(row, app.clock.now()), credential } };
  },
});

const changeSwitchOperation = operation({
  id: "changeSwitch",
  method: "PATCH",
  path: "/operator/v1/switches/{id}",
  tag: "Switches",
  summary: "Update a switch",
  description:
    "Drains, retires or reactivates a switch, or sets its reporting timeout. A draining switch rejects new calls with 503 and keeps active calls. Remove a switch from its trunks before you retire it: changes no longer wait for it, and it rejects calls. A reactivated switch takes calls after it has read back its whole state.",
  access: { callers: "operator" },
  idempotency: "none",
  params: ById,
  notFound: "switch_not_found",
  body: ChangeSwitch,
  answers: { 200: Switch },
  async run(app, { caller, params, body, origin }) {
    const row = await changeSwitch(app, operatorOf(caller, origin), params.id, body);
    return { status: 200, body: shownSwitch(row, app.clock.now()) };
  },
});

function shownGroup(row: SwitchGroupRow): SwitchGroup {
  return { ...row, created_at: row.created_at.toISOString() };
}

function shownSwitch(row: SwitchRow, now: Date): Switch {
  return {
    id: row.id,
    name: row.name,
    group: { id: row.group_id, name: row.group_name },
    state: shownState(row, now),
    is_synced: row.is_synced,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    unreachable_after_seconds: row.unreachable_after_seconds,
    lag: Number(row.lag),
    exceptions: Number(row.exceptions),
    alarms: row.alarms,
    agent_version: row.agent_version,
    boot: row.boot,
    created_at: row.created_at.toISOString(),
  };
}

function shownException(row: SwitchExceptionRow) {
  return {
    ...row,
    since: row.since.toISOString(),
    times_found: row.times_found === null ? null : Number(row.times_found),
    last_at: row.last_at.toISOString(),
  };
}

export const switchesOperations = [
  listSwitchGroupsOperation,
  createSwitchGroupOperation,
  getSwitchGroupOperation,
  listSwitchesOperation,
  getSwitchOperation,
  listSwitchExceptionsOperation,
  createSwitchOperation,
  rotateSwitchCredentialOperation,
  changeSwitchOperation,
];
