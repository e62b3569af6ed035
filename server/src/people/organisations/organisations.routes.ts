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
  description: "With owner_email, that person is invited as its first owner.",
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
  summary: "List all organisations",
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
  summary: "Read an organisation",
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
    "Rejects every request in it, by session or API key, with `organisation_suspended`, everywhere within a second. Its calls continue, and so does work that it started before. With `suspend_numbers`, its live numbers are suspended too; `numbers_pending` is true until all of them are.",
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
    "Accepts its requests again and resumes the numbers that were suspended with it. Numbers that were suspended for another reason stay suspended.",
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
