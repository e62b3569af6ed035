import { Type } from "typebox";
import { type App, operation } from "../../src/app.ts";
import { isKeyLike } from "../../src/people/api-keys/api-keys.ts";
import { callerOfSession } from "../../src/people/sessions/sessions.ts";
import { openSwitchCredentials } from "../../src/switching/switches/switches.ts";
import type { Access } from "../../src/platform/http/access.ts";
import type { Operation } from "../../src/platform/http/operation.ts";
import { createServer } from "../../src/platform/http/server.ts";
import { Id, shape } from "../../src/platform/http/shapes.ts";
import { newId } from "../../src/platform/ids.ts";
import { findNumberId } from "../../src/numbers/numbers/numbers.ts";
import { openLimits } from "../../src/platform/limits/limits.ts";
import { notFound } from "../../src/platform/api-error.ts";
import type { Service } from "../service.ts";
import { ANSWER_PROBE_FIXTURES, ANSWER_PROBES } from "./probe-answers.ts";
import type { Fixtures } from "./fixture.ts";

const MAKERS = ["owner", "admin", "developer"] as const;

/** Ways to declare access that no operation may happen to use today. */
const DECLARATIONS: Record<string, Access> = {
  probeNoSessions: { callers: "organisation", sessions: "none", keys: "any" },
  probeNoSessionsScoped: { callers: "organisation", sessions: "none", keys: ["numbers_write"] },
  probeReading: { callers: "organisation", sessions: { roles: "any" }, keys: ["numbers"] },
  probeWriting: { callers: "organisation", sessions: { roles: MAKERS }, keys: ["numbers_write"] },
  probeEitherScope: {
    callers: "organisation",
    sessions: { roles: ["owner"] },
    keys: ["numbers", "numbers_write"],
  },
  probeFull: { callers: "organisation", sessions: { roles: MAKERS, browser: true }, keys: ["full"] },
  probeRecent: { callers: "organisation", sessions: { roles: "any", recent: true }, keys: "any" },
  probeOwnNoSessions: { callers: "authenticated", sessions: "none", keys: "any" },
  probeOwnScoped: { callers: "authenticated", sessions: { roles: "any", recent: true }, keys: ["numbers"] },
};

/** The one thing a probe with a path knows. */
export const PROBED_ID = newId();

const Seen = shape("Seen", {
  organisation_id: Type.Union([Id, Type.Null()]),
  environment: Type.String({ maxLength: 4 }),
});

/** A leak of a careless handler. No response may contain it, because no schema names it. */
const UNDECLARED = { password_hash: "$argon2id$" };

/** Return their caller, so that a test can see for whom they would have acted. */
export const PROBES: readonly Operation<App>[] = [
  ...Object.entries(DECLARATIONS).map(([id, access]) =>
    operation({
      id,
      method: "GET",
      path: `/v1/probes/${id}`,
      tag: "Probes",
      summary: "Probe",
      access,
      idempotency: "none",
      answers: { 200: Seen },
      run: async (_app, { actor, environment }) => ({
        status: 200,
        body: {
          organisation_id: actor?.organisationId ?? null,
          environment: actor?.environment ?? environment,
          ...UNDECLARED,
        },
      }),
    }),
  ),
  operation({
    id: "probeKeyed",
    method: "PUT",
    path: "/v1/probes/keyed/{id}",
    tag: "Probes",
    summary: "Probe with everything a request can have",
    access: { callers: "organisation", sessions: { roles: MAKERS }, keys: ["numbers_write"] },
    idempotency: "required",
    params: Type.Object({ id: Id }, { additionalProperties: false }),
    notFound: "not_found",
    query: Type.Object({ dry: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
    body: shape("Probed", { value: Type.Integer({ minimum: 0, maximum: 9 }) }),
    answers: { 200: Seen },
    isVisible: async (_tx, { params }) => params.id === PROBED_ID,
    async change(tx, { params }) {
      if (params.id !== PROBED_ID) throw notFound("not_found");
      return {
        status: 200,
        body: { organisation_id: tx.organisationId, environment: tx.environment, ...UNDECLARED },
      };
    },
  }),
  ...ANSWER_PROBES,
];

export const PROBE_FIXTURES: Fixtures = {
  ...Object.fromEntries(Object.keys(DECLARATIONS).map((id) => [id, {}])),
  probeKeyed: {
    params: async () => ({ id: PROBED_ID }),
    body: () => ({ value: 1 }),
    headers: () => ({ "idempotency-key": newId() }),
  },
  ...ANSWER_PROBE_FIXTURES,
};

/** The probes behind the same server as the real operations, on the service's own database. */
export async function serveProbes(
  { app, server }: Service,
  settings: { requestTimeoutMs?: number } = {},
): Promise<AsyncDisposable & { url: string }> {
  const { apiKeys } = server.api!;
  const http = createServer(
    {
      ...app,
      limits: openLimits(app.config.limits, app.clock),
      baseUrl: app.config.baseUrl,
      trustedProxies: [],
      authenticate: ({ token, transport, address }) =>
        transport === "bearer" && isKeyLike(token)
          ? apiKeys.callerOf(token, address)
          : callerOfSession(app, token, transport),
      listProviders: async () => [],
      findNumberId: (scope, e164) => findNumberId(app, scope, e164),
      hasSecondFactor: async () => true,
      authenticateSwitch: openSwitchCredentials(app),
      onApiError() {},
      ...settings,
    },
    app,
    PROBES,
  );
  return {
    url: await http.listen({ host: "127.0.0.1", port: 0 }),
    [Symbol.asyncDispose]: () => http.close(),
  };
}
