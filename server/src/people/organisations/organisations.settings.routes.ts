import { operation } from "../../app.ts";
import { ChangeOwnOrganisation, OwnOrganisation } from "./organisations.schema.ts";
import { changeSettings, getSettings, type SettingsRow } from "./organisations.settings.ts";

const PATH = "/v1/organisation";

const getOwnOrganisationOperation = operation({
  id: "getOwnOrganisation",
  method: "GET",
  path: PATH,
  tag: "Organisation",
  summary: "Get your organisation",
  description: "Returns the organisation of the request and its settings.",
  access: { callers: "organisation", sessions: { roles: "any" }, keys: ["numbers"] },
  idempotency: "none",
  answers: { 200: OwnOrganisation },
  async run(app, { actor }) {
    return { status: 200, body: shown(await getSettings(app, actor)) };
  },
});

const changeOwnOrganisationOperation = operation({
  id: "changeOwnOrganisation",
  method: "PATCH",
  path: PATH,
  tag: "Organisation",
  summary: "Update your organisation",
  description: "Sets the country in which searches read numbers without a country code.",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" },
  idempotency: "none",
  body: ChangeOwnOrganisation,
  answers: { 200: OwnOrganisation },
  async run(app, { actor, body }) {
    return { status: 200, body: shown(await changeSettings(app, actor, body)) };
  },
});

export const organisationsSettingsOperations = [getOwnOrganisationOperation, changeOwnOrganisationOperation];

function shown({ created_at, ...row }: SettingsRow): OwnOrganisation {
  return { ...row, created_at: created_at.toISOString() };
}
