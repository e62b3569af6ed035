import { operation } from "../../app.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import { ById } from "../../platform/http/shapes.ts";
import { ProbeCaller, ProbePolicy, SetProbeCaller, SetProbePolicy } from "./probes.schema.ts";
import { getProbeCaller, getProbePolicy, setProbeCaller, setProbePolicy, syncProbes } from "./probes.ts";
import { ProbeReport, ProbeTasks } from "./probes.wire.schema.ts";

const OF_ORGANISATION = {
  tag: "Organisations",
  path: "/operator/v1/organisations/{id}/probes",
  params: ById,
  notFound: "organisation_not_found",
  access: { callers: "operator" },
  idempotency: "none",
  answers: { 200: ProbePolicy },
} as const;

const OF_GROUP = {
  tag: "Trunks",
  path: "/operator/v1/switch-groups/{id}/probe-caller",
  params: ById,
  notFound: "switch_group_not_found",
  access: { callers: "operator" },
  idempotency: "none",
  answers: { 200: ProbeCaller },
} as const;

const getProbePolicyOperation = operation({
  ...OF_ORGANISATION,
  id: "getProbePolicy",
  method: "GET",
  summary: "Get the probe limit",
  description: "Returns how many probes an organisation may place per day, and how many it has placed today.",
  async run(app, { params }) {
    return { status: 200, body: shown(await getProbePolicy(app, params.id)) };
  },
});

const setProbePolicyOperation = operation({
  ...OF_ORGANISATION,
  id: "setProbePolicy",
  method: "PUT",
  summary: "Set the probe limit",
  description:
    "Organisations cannot place probes until you set a limit. A probe through a carrier is a paid call.",
  body: SetProbePolicy,
  async run(app, { caller, params, body, origin }) {
    const row = await setProbePolicy(app, operatorOf(caller, origin), params.id, body);
    return { status: 200, body: shown(row) };
  },
});

const getProbeCallerOperation = operation({
  ...OF_GROUP,
  id: "getProbeCaller",
  method: "GET",
  summary: "Get the caller of probes",
  description:
    "Returns the trunk by which switches of the group call their carrier, and the caller of the probes.",
  async run(app, { params }) {
    return { status: 200, body: shown(await getProbeCaller(app, params.id)) };
  },
});

const setProbeCallerOperation = operation({
  ...OF_GROUP,
  id: "setProbeCaller",
  method: "PUT",
  summary: "Set the caller of probes",
  description:
    "Allows probes through a carrier for numbers of the group. Switches recognise a probe by its caller, so the carrier must pass on that number.",
  body: SetProbeCaller,
  errors: ["trunk_not_found"],
  async run(app, { caller, params, body, origin }) {
    const row = await setProbeCaller(app, operatorOf(caller, origin), params.id, body);
    return { status: 200, body: shown(row) };
  },
});

const syncProbesOperation = operation({
  id: "syncProbes",
  method: "PUT",
  path: "/switch/v1/probes",
  tag: "Switch feed",
  summary: "Report probes",
  description:
    "Reports probe calls that the switch has placed or received. Returns those that it must recognise and place. Each call is assigned once. If the response is lost, it is not placed, and the probe fails.",
  access: { callers: "switch" },
  idempotency: "none",
  body: ProbeReport,
  http: { hasSecret: true },
  answers: { 200: ProbeTasks },
  async run(app, call) {
    return { status: 200, body: await syncProbes(app, call.switch, call.body) };
  },
});

function shown<Row extends { updated_at: Date | null }>(
  row: Row,
): Omit<Row, "updated_at"> & { updated_at: string | null } {
  return { ...row, updated_at: row.updated_at?.toISOString() ?? null };
}

export const probesOperatorOperations = [
  getProbePolicyOperation,
  setProbePolicyOperation,
  getProbeCallerOperation,
  setProbeCallerOperation,
  syncProbesOperation,
];
