import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById, ByNumber } from "../../platform/http/shapes.ts";
import {
  CreateProbe,
  CreateProbeSchedule,
  Probe,
  ProbePage,
  ProbeSchedule,
  ProbeScheduleList,
  ProbesQuery,
} from "./probes.schema.ts";
import {
  createProbe,
  createSchedule,
  deleteSchedule,
  getProbe,
  hasNumber,
  listProbes,
  listSchedules,
  type ProbeRow,
  type ScheduleRow,
} from "./probes.ts";

const PATH = "/v1/numbers/{id}/probes";
const SCHEDULES = "/v1/probe-schedules";
/** A probe through a carrier costs money, so keys place none. */
const PEOPLE = {
  callers: "organisation",
  sessions: { roles: ["owner", "admin", "developer"] },
  keys: "none",
} as const;
const OF_NUMBER = {
  tag: "Probes",
  path: PATH,
  params: ByNumber,
  notFound: "number_not_found",
  access: PEOPLE,
} as const;

const createProbeOperation = operation({
  ...OF_NUMBER,
  id: "createProbe",
  method: "POST",
  summary: "Probe a number",
  description:
    "Places a call that no phone receives, and reports how far it gets. The switch ends it where it would send it out, and asks the target with OPTIONS. Get the probe until `status` is no longer `running`, for up to a minute. Probes are not counted as usage.",
  idempotency: "optional",
  body: CreateProbe,
  answers: { 202: Probe },
  errors: ["number_not_active", "probes_disabled", "probe_limit_reached", "probe_in_progress"],
  isVisible: (tx, { params }) => hasNumber(tx, params.id),
  async change(tx, { actor, caller, params, body }, app) {
    const probe = await createProbe(tx, app, { ...actor, caller }, { numberId: params.id, ...body });
    return {
      status: 202,
      body: shownProbe(probe),
      headers: { location: `${app.config.baseUrl}/v1/probes/${probe.id}` },
    };
  },
});

const listProbesOperation = operation({
  ...OF_NUMBER,
  id: "listProbes",
  method: "GET",
  summary: "List probes of a number",
  description: "Newest first. Probes are kept for 90 days.",
  idempotency: "none",
  query: ProbesQuery,
  answers: { 200: ProbePage },
  async run(app, { actor, params, query }) {
    return pageOf(app, { path: `/v1/numbers/${params.id}/probes`, of: actor }, query, {
      rows: (page) => listProbes(app, actor, params.id, page),
      item: shownProbe,
      position: ({ id }) => id,
    });
  },
});

const getProbeOperation = operation({
  id: "getProbe",
  method: "GET",
  path: "/v1/probes/{id}",
  tag: "Probes",
  summary: "Get a probe",
  description: "Returns the result of a probe, link by link.",
  access: PEOPLE,
  idempotency: "none",
  params: ById,
  notFound: "probe_not_found",
  answers: { 200: Probe },
  async run(app, { actor, params }) {
    return { status: 200, body: shownProbe(await getProbe(app, actor, params.id)) };
  },
});

const listProbeSchedulesOperation = operation({
  id: "listProbeSchedules",
  method: "GET",
  path: SCHEDULES,
  tag: "Probes",
  summary: "List probe schedules",
  description: "Ordered by tag.",
  access: PEOPLE,
  idempotency: "none",
  answers: { 200: ProbeScheduleList },
  async run(app, { actor }) {
    return { status: 200, body: { data: (await listSchedules(app, actor)).map(shownSchedule) } };
  },
});

const createProbeScheduleOperation = operation({
  id: "createProbeSchedule",
  method: "POST",
  path: SCHEDULES,
  tag: "Probes",
  summary: "Create a probe schedule",
  description:
    "Probes each number with the tag once per round. Replaces the schedule of the tag, if there is one. Probes of schedules count toward the limit of the day. The event `probe.broken` reports a broken link.",
  access: PEOPLE,
  idempotency: "optional",
  body: CreateProbeSchedule,
  answers: { 201: ProbeSchedule },
  errors: ["probes_disabled", "probe_limit_reached"],
  async change(tx, { actor, caller, body }, app) {
    const schedule = await createSchedule(tx, app, { ...actor, caller }, body);
    return {
      status: 201,
      body: shownSchedule(schedule),
      headers: { location: `${app.config.baseUrl}${SCHEDULES}/${schedule.id}` },
    };
  },
});

const deleteProbeScheduleOperation = operation({
  id: "deleteProbeSchedule",
  method: "DELETE",
  path: `${SCHEDULES}/{id}`,
  tag: "Probes",
  summary: "Delete a probe schedule",
  description: "Places no further probes. Running ones end.",
  access: PEOPLE,
  idempotency: "none",
  params: ById,
  notFound: "probe_schedule_not_found",
  answers: { 204: null },
  async change(tx, { actor, caller, params }, app) {
    await deleteSchedule(tx, app, { ...actor, caller }, params.id);
    return { status: 204 };
  },
});

function shownProbe({ holding_id, created_by, created_at, ended_at, ...row }: ProbeRow): Probe {
  const { id, e164, via, status, summary, links } = row;
  return {
    id,
    number_id: holding_id,
    e164,
    via,
    status,
    summary,
    links,
    is_scheduled: created_by === null,
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  };
}

function shownSchedule({ round_at, created_at, updated_at, ...row }: ScheduleRow): ProbeSchedule {
  return {
    ...row,
    round_at: round_at.toISOString(),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

export const probesOperations = [
  createProbeOperation,
  listProbesOperation,
  getProbeOperation,
  listProbeSchedulesOperation,
  createProbeScheduleOperation,
  deleteProbeScheduleOperation,
];
