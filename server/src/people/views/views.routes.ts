import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import { ChangeView, CreateView, View, ViewPage, ViewQuery } from "./views.schema.ts";
import { changeView, createView, deleteView, listViews, type ViewRow } from "./views.ts";

const PATH = "/v1/views";
const OF_MEMBERS = {
  tag: "Views",
  access: { callers: "organisation", sessions: { roles: "any" }, keys: "none" },
} as const;

const listViewsOperation = operation({
  ...OF_MEMBERS,
  id: "listViews",
  method: "GET",
  path: PATH,
  summary: "List views",
  description: "Lists your views and those of the organisation in this environment.",
  idempotency: "none",
  query: ViewQuery,
  answers: { 200: ViewPage },
  async run(app, { actor, query: { page, ...query } }) {
    return pageOf(app, { path: PATH, of: actor, filters: { page } }, query, {
      rows: (at) => listViews(app, actor, page, at),
      item: shownView,
      position: (row) => row.id,
    });
  },
});

const createViewOperation = operation({
  ...OF_MEMBERS,
  id: "createView",
  method: "POST",
  path: PATH,
  summary: "Create a view",
  description:
    "Saves the filters of a page under a name. Owners, admins and developers can share a view with the organisation.",
  idempotency: "optional",
  body: CreateView,
  answers: { 201: View },
  errors: ["view_name_taken", "view_limit_reached", "view_sharing_not_allowed"],
  async change(tx, { actor, body }, app) {
    const view = await createView(tx, app, actor, body);
    return {
      status: 201,
      body: shownView(view),
      headers: { location: `${app.config.baseUrl}${PATH}/${view.id}` },
    };
  },
});

const OF_ONE = { ...OF_MEMBERS, path: `${PATH}/{id}`, params: ById, notFound: "view_not_found" } as const;

const changeViewOperation = operation({
  ...OF_ONE,
  id: "changeView",
  method: "PATCH",
  summary: "Update a view",
  description: "Absent fields keep their value. `is_shared` moves the view to the organisation, or to you.",
  idempotency: "none",
  body: ChangeView,
  answers: { 200: View },
  errors: ["view_name_taken", "view_limit_reached", "view_sharing_not_allowed"],
  async change(tx, { actor, params, body }, app) {
    return { status: 200, body: shownView(await changeView(tx, app, actor, { id: params.id, ...body })) };
  },
});

const deleteViewOperation = operation({
  ...OF_ONE,
  id: "deleteView",
  method: "DELETE",
  summary: "Delete a view",
  description: "Owners, admins and developers can delete views of the organisation.",
  idempotency: "none",
  answers: { 204: null },
  errors: ["view_sharing_not_allowed"],
  async change(tx, { actor, params }) {
    await deleteView(tx, actor, params.id);
    return { status: 204 };
  },
});

function shownView({ id, page, name, query, user_id, created_at, updated_at }: ViewRow): View {
  return {
    id,
    page: page as View["page"],
    name,
    query,
    is_shared: user_id === null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

export const viewsOperations = [
  listViewsOperation,
  createViewOperation,
  changeViewOperation,
  deleteViewOperation,
];
