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
  summary: "Read the secret that questions to routing webhooks are signed with",
  description:
    "One for all numbers of the organisation, on each side. A question is signed after Standard Webhooks, with the id of the call as `webhook-id`.",
  async run(app, { actor }) {
    return { status: 200, body: await getRoutingWebhookSecret(app, actor) };
  },
});

const rotateRoutingWebhookSecretOperation = operation({
  ...OF_PEOPLE,
  id: "rotateRoutingWebhookSecret",
  method: "POST",
  path: `${PATH}/rotate`,
  summary: "Get a new secret for routing webhooks",
  description:
    "The switches have it within half a minute. For a day they sign with the old one as well, the new one first.",
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
  summary: "Read whose secrets sign the questions about numbers",
  description:
    "To be kept by the agent, so that it can ask customers' programs while this service is away. Numbers that are not of the switch's group are left out.",
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
