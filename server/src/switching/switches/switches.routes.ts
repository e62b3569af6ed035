import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById, PageQuery } from "../../platform/http/shapes.ts";
import { operatorOf } from "../../events/audit/audit.ts";
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
  getSwitchGroup,
  listSwitches,
  listSwitchGroups,
  rotateCredential,
  shownState,
  type SwitchGroupRow,
  type SwitchRow,
} from "./switches.ts";

const listSwitchGroupsOperation = operation({
  id: "listSwitchGroups",
  method: "GET",
  path: "/operator/v1/switch-groups",
  tag: "Switches",
  summary: "List the groups of switches",
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
  summary: "Create a group of switches",
  description: "Switches of one group hold the same numbers, and none of any other group.",
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
  summary: "Read a group of switches",
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
  summary: "List the switches",
  description: "With how far each is behind, and what it does not hold as it should.",
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

const createSwitchOperation = operation({
  id: "createSwitch",
  method: "POST",
  path: "/operator/v1/switches",
  tag: "Switches",
  summary: "Register a switch",
  description: "The answer carries the credential of its agent, once.",
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
  summary: "Replace a switch's credential",
  description: "The old one ends within a second, and with it the agent's stream; calls go on as they are.",
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
  summary: "Drain, retire or bring back a switch, or say how long it may be silent",
  description:
    "A draining switch refuses new calls with 503 and keeps those that are up. Retire a switch only after it has been taken off its trunks: changes no longer wait for it, and it refuses calls as soon as its agent hears of it. Brought back, it takes calls and counts once it has read back everything.",
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

export const switchesOperations = [
  listSwitchGroupsOperation,
  createSwitchGroupOperation,
  getSwitchGroupOperation,
  listSwitchesOperation,
  createSwitchOperation,
  rotateSwitchCredentialOperation,
  changeSwitchOperation,
];
