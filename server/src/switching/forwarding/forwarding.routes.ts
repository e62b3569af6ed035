import { operation } from "../../app.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import { ById } from "../../platform/http/shapes.ts";
import { Forwarding, ForwardingAllowances, ForwardingReport, SetForwarding } from "./forwarding.schema.ts";
import { type ForwardingRow, getForwarding, setForwarding, syncForwarding } from "./forwarding.ts";

const PATH = "/operator/v1/organisations/{id}/forwarding";

const getForwardingOperation = operation({
  id: "getForwarding",
  method: "GET",
  path: PATH,
  tag: "Organisations",
  summary: "Get forwarding limits",
  description:
    "Returns the limits for forwarded calls of an organisation, today's use, and the part of each switch.",
  access: { callers: "operator" },
  idempotency: "none",
  params: ById,
  notFound: "organisation_not_found",
  answers: { 200: Forwarding },
  async run(app, { params }) {
    return { status: 200, body: shownForwarding(params.id, await getForwarding(app, params.id)) };
  },
});

const setForwardingOperation = operation({
  id: "setForwarding",
  method: "PUT",
  path: PATH,
  tag: "Organisations",
  summary: "Set forwarding limits",
  description:
    "Replaces all limits for forwarded calls of an organisation. Omitted fields get their defaults. Switches apply them within seconds. They enforce them alone, even without a connection to the service.",
  access: { callers: "operator" },
  idempotency: "none",
  params: ById,
  body: SetForwarding,
  notFound: "organisation_not_found",
  answers: { 200: Forwarding },
  errors: ["switches_outdated"],
  async run(app, { caller, params, body, origin }) {
    const row = await setForwarding(app, operatorOf(caller, origin), params.id, body);
    return { status: 200, body: shownForwarding(params.id, row) };
  },
});

const syncForwardingOperation = operation({
  id: "syncForwarding",
  method: "PUT",
  path: "/switch/v1/forwarding",
  tag: "Switch feed",
  summary: "Report forwarding use",
  description:
    "Reports which allowances the switch holds and what it has used. Returns newer allowances: the switch's part of each organisation's limits.",
  access: { callers: "switch" },
  idempotency: "none",
  body: ForwardingReport,
  http: { maxBodyBytes: 8 * 1024 * 1024 },
  answers: { 200: ForwardingAllowances },
  async run(app, call) {
    return { status: 200, body: await syncForwarding(app, call.switch, call.body) };
  },
});

function shownForwarding(
  organisationId: string,
  { switches, updated_at, ...row }: ForwardingRow,
): Forwarding {
  const sum = (field: "use_at_once" | "use_calls" | "use_seconds"): number =>
    switches.reduce((total, one) => total + one[field], 0);
  return {
    organisation_id: organisationId,
    ...row,
    updated_at: updated_at?.toISOString() ?? null,
    used: { calls_at_once: sum("use_at_once"), calls: sum("use_calls"), seconds: sum("use_seconds") },
    switches: switches.map(({ is_applied, use_at_once, use_calls, use_seconds, reported_at, ...one }) => ({
      ...one,
      status: is_applied ? "applied" : "pending",
      used: { calls_at_once: use_at_once, calls: use_calls, seconds: use_seconds },
      reported_at: reported_at === null ? null : new Date(reported_at).toISOString(),
    })),
  };
}

export const forwardingOperations = [getForwardingOperation, setForwardingOperation, syncForwardingOperation];
