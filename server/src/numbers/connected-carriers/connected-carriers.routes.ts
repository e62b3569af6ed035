import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import {
  Carrier,
  CarrierPage,
  CarriersQuery,
  CarrierTrunks,
  ChangeCarrier,
  CreateCarrier,
} from "./connected-carriers.schema.ts";
import {
  type CarrierRow,
  changeCarrier,
  createCarrier,
  getCarrier,
  listCarriers,
  listTrunks,
} from "./connected-carriers.ts";

const PATH = "/operator/v1/carriers";
const OF_OPERATOR = { tag: "Carriers", access: { callers: "operator" }, idempotency: "none" } as const;

const listCarriersOperation = operation({
  ...OF_OPERATOR,
  id: "listCarriers",
  method: "GET",
  path: PATH,
  summary: "List carriers",
  description: "Empty if settings choose the carrier of live orders.",
  query: CarriersQuery,
  answers: { 200: CarrierPage },
  async run(app, { query }) {
    return pageOf(app, { path: PATH, of: "installation" }, query, {
      rows: (page) => listCarriers(app, page),
      item: shownCarrier,
      position: (row) => row.id,
    });
  },
});

const createCarrierOperation = operation({
  ...OF_OPERATOR,
  id: "createCarrier",
  method: "POST",
  path: PATH,
  summary: "Connect a carrier",
  description:
    "New live orders then go to the first open carrier that serves their country and type. After the first carrier, the settings `ORDERING` and `INVENTORY` have no effect on new orders.",
  body: CreateCarrier,
  answers: { 201: Carrier },
  errors: ["carrier_name_taken", "carrier_check_failed"],
  async run(app, { caller, body, origin }) {
    const row = await createCarrier(app, operatorOf(caller, origin), body);
    const location = `${app.config.baseUrl}${PATH}/${row.id}`;
    return { status: 201, body: shownCarrier(row), headers: { location } };
  },
});

const getCarrierOperation = operation({
  ...OF_OPERATOR,
  id: "getCarrier",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Get a carrier",
  description: "Shows when its credentials were set, and never the credentials.",
  params: ById,
  notFound: "carrier_not_found",
  answers: { 200: Carrier },
  async run(app, { params }) {
    return { status: 200, body: shownCarrier(await getCarrier(app, params.id)) };
  },
});

const listTrunksOperation = operation({
  ...OF_OPERATOR,
  id: "listCarrierTrunks",
  method: "GET",
  path: `${PATH}/{id}/trunks`,
  summary: "List trunks of a carrier",
  description:
    "Queries the carrier. Empty if it cannot deliver numbers to trunks. Use the IDs in `deliveries` of the carrier.",
  params: ById,
  notFound: "carrier_not_found",
  answers: { 200: CarrierTrunks },
  errors: ["carrier_refused"],
  async run(app, { params }) {
    return { status: 200, body: { data: await listTrunks(app, params.id) } };
  },
});

const changeCarrierOperation = operation({
  ...OF_OPERATOR,
  id: "changeCarrier",
  method: "PATCH",
  path: `${PATH}/{id}`,
  summary: "Update a carrier",
  description:
    "All processes apply it within a few seconds. A carrier with numbers or unfinished orders cannot be closed.",
  params: ById,
  notFound: "carrier_not_found",
  body: ChangeCarrier,
  answers: { 200: Carrier },
  errors: ["carrier_in_use", "carrier_check_failed"],
  async run(app, { caller, params, body, origin }) {
    const row = await changeCarrier(app, operatorOf(caller, origin), params.id, body);
    return { status: 200, body: shownCarrier(row) };
  },
});

function shownCarrier({ credentials_set_at, credentials_end, ...row }: CarrierRow): Carrier {
  return {
    ...row,
    kind: row.kind as Carrier["kind"],
    features: row.features as Carrier["features"],
    credentials: credentials_set_at && {
      set_at: credentials_set_at.toISOString(),
      ends_with: credentials_end,
    },
    number_types: row.number_types as Carrier["number_types"],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export const connectedCarriersOperations = [
  listCarriersOperation,
  createCarrierOperation,
  getCarrierOperation,
  listTrunksOperation,
  changeCarrierOperation,
];
