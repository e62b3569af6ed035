import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import { HeldNumber, HeldNumberPage, HeldNumbersQuery, SuspendNumber } from "./numbers.suspension.schema.ts";
import { getHeld, type HeldByRow, listHeld, suspendHeld } from "./numbers.suspension.ts";

const PATH = "/operator/v1/numbers";
const OF_OPERATOR = { tag: "Held numbers", access: { callers: "operator" }, idempotency: "none" } as const;
const OF_ONE = {
  ...OF_OPERATOR,
  params: ById,
  notFound: "number_not_found",
  answers: { 200: HeldNumber },
} as const;

const listHeldNumbersOperation = operation({
  ...OF_OPERATOR,
  id: "listHeldNumbers",
  method: "GET",
  path: PATH,
  summary: "List held numbers",
  description: "Lists live numbers that organisations hold. Filter by `e164` to find the holder of a number.",
  query: HeldNumbersQuery,
  answers: { 200: HeldNumberPage },
  async run(app, { query }) {
    const { limit: _, cursor: __, ...filters } = query;
    const { e164, organisation_id: organisationId, status } = filters;
    return pageOf(app, { path: PATH, of: "installation", filters }, query, {
      rows: (page) => listHeld(app, { e164, organisationId, status }, page),
      item: shownNumber,
      position: (row) => row.id,
    });
  },
});

const getHeldNumberOperation = operation({
  ...OF_ONE,
  id: "getHeldNumber",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Get a held number",
  description: "Returns a live number and the organisation that holds it.",
  async run(app, { params }) {
    return { status: 200, body: shownNumber(await getHeld(app, params.id)) };
  },
});

const suspendNumberOperation = operation({
  ...OF_ONE,
  id: "suspendNumber",
  method: "POST",
  path: `${PATH}/{id}/suspend`,
  summary: "Suspend a number",
  description:
    "Calls to the number are rejected until you resume it. Its desired routing does not change. If the number was suspended with its organisation, it then stays suspended when you resume the organisation.",
  body: SuspendNumber,
  errors: ["number_not_active"],
  async run(app, { caller, params, body, origin }) {
    const wanted = { isSuspended: true, reason: body.reason };
    const row = await suspendHeld(app, operatorOf(caller, origin), params.id, wanted);
    return { status: 200, body: shownNumber(row) };
  },
});

const resumeNumberOperation = operation({
  ...OF_ONE,
  id: "resumeNumber",
  method: "POST",
  path: `${PATH}/{id}/resume`,
  summary: "Resume a number",
  description: "Switches route its calls to the desired routing again.",
  errors: ["number_not_active"],
  async run(app, { caller, params, origin }) {
    const row = await suspendHeld(app, operatorOf(caller, origin), params.id, { isSuspended: false });
    return { status: 200, body: shownNumber(row) };
  },
});

function shownNumber({ organisation_id, organisation_name, acquired_at, ...row }: HeldByRow): HeldNumber {
  return {
    ...row,
    status: row.status as HeldNumber["status"],
    acquired_at: acquired_at.toISOString(),
    organisation: { id: organisation_id, name: organisation_name },
  };
}

export const numbersSuspensionOperations = [
  listHeldNumbersOperation,
  getHeldNumberOperation,
  suspendNumberOperation,
  resumeNumberOperation,
];
