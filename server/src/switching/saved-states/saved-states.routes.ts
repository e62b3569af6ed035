import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import {
  AnnouncedStates,
  ByEndedEpoch,
  RequestedStates,
  SavedState,
  type SavedStateItem,
  SavedStateItemPage,
  SavedStateItemsQuery,
  SavedStatePage,
  SavedStatePart,
  SavedStatesQuery,
} from "./saved-states.schema.ts";
import {
  announceStates,
  listSavedStateItems,
  listSavedStates,
  requestState,
  type SavedStateItemRow,
  type SavedStateRow,
  takePart,
} from "./saved-states.ts";

const PATH = "/operator/v1/saved-states";
const OF_OPERATOR = { tag: "Saved states", access: { callers: "operator" }, idempotency: "none" } as const;
const OF_SWITCH = { tag: "Switch feed", access: { callers: "switch" }, idempotency: "none" } as const;

const listSavedStatesOperation = operation({
  ...OF_OPERATOR,
  id: "listSavedStates",
  method: "GET",
  path: PATH,
  summary: "List saved states",
  description:
    "Newest first. An agent saves its whole state before it follows a new epoch, and keeps the last three. After a rollback, saved states show which routes were lost.",
  query: SavedStatesQuery,
  answers: { 200: SavedStatePage },
  async run(app, { query: { switch_id: switchId, ...query } }) {
    return pageOf(app, { path: PATH, of: "installation", filters: { switch_id: switchId } }, query, {
      rows: (page) => listSavedStates(app, { switchId }, page),
      item: shownState,
      position: (row) => `${row.saved_at.toISOString()} ${row.id}`,
    });
  },
});

const requestSavedStateOperation = operation({
  ...OF_OPERATOR,
  id: "requestSavedState",
  method: "POST",
  path: `${PATH}/{id}/request`,
  summary: "Request a saved state",
  description:
    "The agent uploads it within a minute, even while switches are held. Repeating the request changes nothing. The service keeps the last three states of each switch.",
  params: ById,
  notFound: "saved_state_not_found",
  answers: { 200: SavedState },
  async run(app, { caller, params, origin }) {
    const row = await requestState(app, operatorOf(caller, origin), params.id);
    return { status: 200, body: shownState(row) };
  },
});

const listSavedStateItemsOperation = operation({
  ...OF_OPERATOR,
  id: "listSavedStateItems",
  method: "GET",
  path: `${PATH}/{id}/items`,
  summary: "List items of a saved state",
  description: "Lists its routes and connections.",
  params: ById,
  notFound: "saved_state_not_found",
  query: SavedStateItemsQuery,
  answers: { 200: SavedStateItemPage },
  errors: ["saved_state_not_uploaded"],
  async run(app, { params, query: { number, ...query } }) {
    const list = { path: `${PATH}/${params.id}/items`, of: "installation" as const, filters: { number } };
    return pageOf(app, list, query, {
      rows: (page) => listSavedStateItems(app, params.id, number, page),
      item: shownItem,
      position: (row) => row.id,
    });
  },
});

const announceSavedStatesOperation = operation({
  ...OF_SWITCH,
  id: "announceSavedStates",
  method: "PUT",
  path: "/switch/v1/saved-states",
  summary: "Announce saved states",
  description: "Replaces the previous announcement. The response lists the states to upload.",
  body: AnnouncedStates,
  answers: { 200: RequestedStates },
  async run(app, call) {
    return { status: 200, body: { requested: await announceStates(app, call.switch, call.body) } };
  },
});

const uploadSavedStateOperation = operation({
  ...OF_SWITCH,
  id: "uploadSavedState",
  method: "POST",
  path: "/switch/v1/saved-states/{epoch}/parts",
  summary: "Upload part of a saved state",
  description: "Repeated items are counted once, so an interrupted upload can start over.",
  params: ByEndedEpoch,
  notFound: "saved_state_not_found",
  body: SavedStatePart,
  http: { maxBodyBytes: 8 * 1024 * 1024 },
  answers: { 204: null },
  errors: ["saved_state_incomplete"],
  async run(app, call) {
    await takePart(app, call.switch, call.params.epoch, call.body);
    return { status: 204 };
  },
});

function shownState({ saved_at, requested_at, uploaded_at, ...row }: SavedStateRow): SavedState {
  return {
    ...row,
    saved_at: saved_at.toISOString(),
    status: uploaded_at ? "uploaded" : requested_at ? "requested" : "on_switch",
    requested_at: requested_at?.toISOString() ?? null,
    uploaded_at: uploaded_at?.toISOString() ?? null,
  };
}

function shownItem({ version, generation, ...row }: SavedStateItemRow): SavedStateItem {
  return { ...row, version: Number(version), generation: Number(generation) };
}

export const savedStatesOperations = [
  listSavedStatesOperation,
  requestSavedStateOperation,
  listSavedStateItemsOperation,
  announceSavedStatesOperation,
  uploadSavedStateOperation,
];
