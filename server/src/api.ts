import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { App } from "./app.ts";
import { registerPages } from "./contract/contract.pages.ts";
import { ApiKeyCache, isKeyLike } from "./people/api-keys/api-keys.ts";
import { openRejectionJournal } from "./events/audit/audit.ts";
import { listWorkingProviders } from "./people/identity-providers/identity-providers.ts";
import { callerOfSession, findSessionOrigin } from "./people/sessions/sessions.ts";
import { openSwitchCredentials } from "./switching/switches/switches.ts";
import { findNumberId } from "./numbers/numbers/numbers.ts";
import { OPERATIONS } from "./operations.ts";
import type { Caller, SessionCaller } from "./platform/http/access.ts";
import { originOf } from "./platform/http/admission.ts";
import type { Credential } from "./platform/http/credential.ts";
import { registerHealth } from "./platform/http/health.ts";
import { createServer } from "./platform/http/server.ts";
import type { Readiness } from "./platform/readiness.ts";
import { openStaticSite } from "./platform/http/static-site.ts";
import { openLimits } from "./platform/limits/limits.ts";

export interface Api {
  http: FastifyInstance;
  apiKeys: ApiKeyCache;
  close(): Promise<void>;
}

const DASHBOARD = {
  directory: fileURLToPath(new URL("../../dashboard/dist", import.meta.url)),
  reserved: ["/v1", "/operator/v1", "/switch", "/docs", "/livez", "/readyz", "/assets"],
  buildCommand: "npm run build",
};

/** The API, not yet listening. */
export async function buildApi(app: App, readiness: Readiness): Promise<Api> {
  const apiKeys = new ApiKeyCache(app);
  const rejections = openRejectionJournal(app);

  const authenticate = ({
    token,
    transport,
    address,
  }: Credential & { address: string }): Promise<Caller | undefined> =>
    transport === "bearer" && isKeyLike(token)
      ? apiKeys.callerOf(token, address)
      : callerOfSession(app, token, transport);

  const http = createServer(
    {
      db: app.db,
      clock: app.clock,
      log: app.log,
      metrics: app.metrics,
      limits: openLimits(app.config.limits, app.clock),
      baseUrl: app.config.baseUrl,
      trustedProxies: app.config.trustedProxies,
      authenticate,
      findNumberId: (scope, e164) => findNumberId(app, scope, e164),
      listProviders: (organisationId) => listWorkingProviders(app, organisationId),
      hasSecondFactor: (operator) => mayOperate(app, operator),
      authenticateSwitch: openSwitchCredentials(app),
      site: openStaticSite(DASHBOARD),
      onApiError: (apiError, request) =>
        rejections.add(apiError, { ...request.admission, origin: originOf(request) }),
    },
    app,
    OPERATIONS,
  );
  registerHealth(http, readiness);
  registerPages(http, app.config);
  await http.ready();

  return {
    http,
    apiKeys,
    async close() {
      // Streams never end, so they are closed here.
      app.feed.drain();
      app.live.drain();
      await http.close();
      await Promise.all([rejections.close(), apiKeys.close()]);
    },
  };
}

/** Checks the session, not the account: a user with a passkey can still sign in with the password alone. */
async function mayOperate(app: App, operator: SessionCaller): Promise<boolean> {
  if (app.config.operatorSecondFactor === "optional") return true;
  const { id, userId } = operator;
  const session = await app.db.forCaller({ userId }, (tx) => findSessionOrigin(tx, id));
  return session?.has_second_factor ?? false;
}
