import { operation } from "../../app.ts";
import { RoutingWebhookSecret, Signers, SignersQuestion } from "./routing-webhook-secrets.schema.ts";
import {
  getRoutingWebhookSecret,
  listSigningSecrets,
  rotateRoutingWebhookSecret,
} from "./routing-webhook-secrets.ts";

const PATH = "/v1/routing-webhook-secret";
const OF_PEOPLE = {
  tag: "Routing",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin", "developer"] }, keys: "none" },
  idempotency: "none",
  http: { hasSecret: true },
  answers: { 200: RoutingWebhookSecret },
} as const;

const getRoutingWebhookSecretOperation = operation({
  ...OF_PEOPLE,
  id: "getRoutingWebhookSecret",
  method: "GET",
  path: PATH,
  summary: "Get the routing webhook secret",
  description:
    "Each environment of the organisation has one secret for all numbers. Requests to routing webhooks are signed after Standard Webhooks, with the call ID as `webhook-id`.",
  async run(app, { actor }) {
    return { status: 200, body: await getRoutingWebhookSecret(app, actor) };
  },
});

const rotateRoutingWebhookSecretOperation = operation({
  ...OF_PEOPLE,
  id: "rotateRoutingWebhookSecret",
  method: "POST",
  path: `${PATH}/rotate`,
  summary: "Rotate the routing webhook secret",
  description:
    "Switches receive the new secret within 30 seconds. For a day they sign with both secrets, the new one first.",
  async run(app, { actor }) {
    const body = await app.db.forOrganisation(actor, (tx) => rotateRoutingWebhookSecret(tx, app, actor));
    return { status: 200, body };
  },
});

const listSigningSecretsOperation = operation({
  id: "listSigningSecrets",
  method: "POST",
  path: "/switch/v1/signing-secrets",
  tag: "Calls",
  summary: "List signing secrets",
  description:
    "Returns the secrets for requests to routing webhooks. The agent stores them, so that routing webhooks work while the control plane is down. Numbers of other switch groups are omitted.",
  access: { callers: "switch" },
  idempotency: "none",
  http: { hasSecret: true, maxBodyBytes: 64 * 1024 },
  body: SignersQuestion,
  answers: { 200: Signers },
  async run(app, call) {
    return { status: 200, body: await listSigningSecrets(app, call.switch, call.body.number_ids) };
  },
});

export const routingWebhookSecretsOperations = [
  getRoutingWebhookSecretOperation,
  rotateRoutingWebhookSecretOperation,
  listSigningSecretsOperation,
];
