import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";

const PAGES = ["numbers", "calls", "audit", "events", "jobs"] as const;

const PAGE = "Page of the dashboard that the view belongs to.";
const Name = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: String.raw`^[^\x00-\x1f\x7f]+$`,
  examples: ["Failing in Berlin"],
  description: "Name of the view, unique among the views of its owner on the same page.",
});
const Query = Type.String({
  maxLength: 2000,
  pattern: "^[!-~]*$",
  examples: ["sync=failed&tag=berlin"],
  description: "Query string of the page: filters, sorting and columns, without the question mark.",
});
const IsShared = Type.Boolean({
  description:
    "Whether the view belongs to the organisation, so that all members see it. Otherwise it is yours alone.",
});

export const ViewQuery = Type.Object(
  { ...PageQuery, page: Type.Optional(described(closedEnum(PAGES), "Only views of this page.")) },
  { additionalProperties: false },
);
export type ViewQuery = Static<typeof ViewQuery>;

export const CreateView = shape("CreateView", {
  page: described(closedEnum(PAGES), PAGE),
  name: Name,
  query: Query,
  is_shared: Type.Optional({ ...IsShared, default: false }),
});
export type CreateView = Static<typeof CreateView>;

export const ChangeView = shape("ChangeView", {
  name: Type.Optional(Name),
  query: Type.Optional(Query),
  is_shared: Type.Optional(IsShared),
});
export type ChangeView = Static<typeof ChangeView>;

export const View = shape("View", {
  id: described(Id, "ID of the view."),
  page: openEnum(PAGES, PAGE),
  name: Name,
  query: Query,
  is_shared: IsShared,
  created_at: described(DateTime, "Time when the view was created."),
  updated_at: described(DateTime, "Time of the last change."),
});
export type View = Static<typeof View>;

export const ViewPage = pageShape("ViewPage", View);
