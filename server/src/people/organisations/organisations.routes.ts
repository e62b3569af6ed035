import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById, PageQuery } from "../../platform/http/shapes.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import {
  CreateOrganisation,
  Organisation,
  OrganisationPage,
  SuspendOrganisation,
} from "./organisations.schema.ts";
import { resumeOrganisation, suspendOrganisation } from "./organisations.suspension.ts";
import {
  createOrganisation,
  getOrganisation,
  listOrganisations,
  type OrganisationRow,
} from "./organisations.ts";

const createOrganisationOperation = operation({
  id: "createOrganisation",
  method: "POST",
  path: "/operator/v1/organisations",
  tag: "Organisations",
  summary: "Create an organisation",
  description: "If you send `owner_email`, the API invites that user as the first owner.",
  access: { callers: "operator" },
  idempotency: "none",
  body: CreateOrganisation,
  answers: { 201: Organisation },
  async run(app, { caller, body, origin }) {
    const organisation = await createOrganisation(app, operatorOf(caller, origin), body);
    const location = `${app.config.baseUrl}/operator/v1/organisations/${organisation.id}`;
    return { status: 201, body: shownOrganisation(organisation), headers: { location } };
  },
});

const listOrganisationsOperation = operation({
  id: "listOrganisations",
  method: "GET",
  path: "/operator/v1/organisations",
  tag: "Organisations",
  summary: "List organisations",
  description: "Lists all organisations of the installation.",
  access: { callers: "operator" },
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: OrganisationPage },
  async run(app, { query }) {
    return pageOf(app, { path: "/operator/v1/organisations", of: "installation" }, query, {
      rows: (page) => listOrganisations(app, page),
      item: shownOrganisation,
      position: (row) => row.id,
    });
  },
});

const getOrganisationOperation = operation({
  id: "getOrganisation",
  method: "GET",
  path: "/operator/v1/organisations/{id}",
  tag: "Organisations",
  summary: "Get an organisation",
  description: "Includes its suspension status.",
  access: { callers: "operator" },
  idempotency: "none",
  params: ById,
  notFound: "organisation_not_found",
  answers: { 200: Organisation },
  async run(app, { params }) {
    return { status: 200, body: shownOrganisation(await getOrganisation(app, params.id)) };
  },
});

const suspendOrganisationOperation = operation({
  id: "suspendOrganisation",
  method: "POST",
  path: "/operator/v1/organisations/{id}/suspend",
  tag: "Organisations",
  summary: "Suspend an organisation",
  description:
    "Within a second, all requests in the organisation are rejected with `organisation_suspended`. Calls and jobs in progress continue. With `suspend_numbers`, its live numbers are suspended too. `numbers_pending` is true until all are suspended.",
  access: { callers: "operator" },
  idempotency: "none",
  params: ById,
  body: SuspendOrganisation,
  notFound: "organisation_not_found",
  answers: { 200: Organisation },
  async run(app, { caller, params, body, origin }) {
    const row = await suspendOrganisation(app, operatorOf(caller, origin), params.id, body);
    return { status: 200, body: shownOrganisation(row) };
  },
});

const resumeOrganisationOperation = operation({
  id: "resumeOrganisation",
  method: "POST",
  path: "/operator/v1/organisations/{id}/resume",
  tag: "Organisations",
  summary: "Resume an organisation",
  description:
    "Accepts requests again and resumes the numbers that were suspended with the organisation. Numbers suspended for another reason stay suspended.",
  access: { callers: "operator" },
  idempotency: "none",
  params: ById,
  notFound: "organisation_not_found",
  answers: { 200: Organisation },
  async run(app, { caller, params, origin }) {
    const row = await resumeOrganisation(app, operatorOf(caller, origin), params.id);
    return { status: 200, body: shownOrganisation(row) };
  },
});

function shownOrganisation(row: OrganisationRow): Organisation {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    suspended_at: row.suspended_at?.toISOString() ?? null,
    suspension_reason: row.suspension_reason,
    numbers_suspended: row.suspends_numbers,
    numbers_pending: row.numbers_due,
  };
}

export const organisationsOperations = [
  createOrganisationOperation,
  listOrganisationsOperation,
  getOrganisationOperation,
  suspendOrganisationOperation,
  resumeOrganisationOperation,
];
