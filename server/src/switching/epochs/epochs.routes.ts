import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { PageQuery } from "../../platform/http/shapes.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import { ByEpoch, Epoch, EpochPage } from "./epochs.schema.ts";
import { type EpochRow, listEpochs, resolveEpoch } from "./epochs.ts";

const listEpochsOperation = operation({
  id: "listEpochs",
  method: "GET",
  path: "/operator/v1/epochs",
  tag: "Epochs",
  summary: "List epochs",
  description:
    "Newest first. In a new epoch, every switch loads its whole state again. The cause `rollback` means that the database lost changes that switches already had.",
  access: { callers: "operator" },
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: EpochPage },
  async run(app, { query }) {
    return pageOf(app, { path: "/operator/v1/epochs", of: "installation" }, query, {
      rows: (page) => listEpochs(app, page),
      item: shownEpoch,
      position: (row) => `${row.began_at.toISOString()} ${row.epoch}`,
    });
  },
});

const resolveEpochOperation = operation({
  id: "resolveEpoch",
  method: "POST",
  path: "/operator/v1/epochs/{id}/resolve",
  tag: "Epochs",
  summary: "Resolve a rollback",
  description:
    "Ends the alarm. If switches were held, they now load the state of the database. Repeating the request changes nothing.",
  access: { callers: "operator" },
  idempotency: "none",
  params: ByEpoch,
  notFound: "epoch_not_found",
  answers: { 200: Epoch },
  errors: ["restore_open"],
  async run(app, { caller, params, origin }) {
    return { status: 200, body: shownEpoch(await resolveEpoch(app, operatorOf(caller, origin), params.id)) };
  },
});

function shownEpoch({ epoch, began_at, newest_row_at, resolved_at, ...row }: EpochRow): Epoch {
  return {
    id: epoch,
    began_at: began_at.toISOString(),
    newest_row_at: newest_row_at?.toISOString() ?? null,
    resolved_at: resolved_at?.toISOString() ?? null,
    ...row,
  };
}

export const epochsOperations = [listEpochsOperation, resolveEpochOperation];
