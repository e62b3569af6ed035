import type { App } from "../../app.ts";
import type { Origin } from "../../platform/http/access.ts";
import { networkOf, spend } from "../../platform/limits/limits.ts";
import { ApiError } from "../../platform/api-error.ts";
import { isSameMac, macOf } from "../../platform/secrets.ts";
import { authorOf, recordAct } from "../../events/audit/audit.ts";
import { openChallenge, rootOfChallenge, useChallenge } from "../one-time-links/one-time-links.ts";
import {
  askProvider,
  domainOf,
  findProviderOfDomain,
  findSealedProvider,
  personOf,
  providerAddress,
  ProviderFault,
  type SealedProviderRow,
  type Trip,
} from "../identity-providers/identity-providers.ts";
import { findUser, normalEmail, type User } from "../users/users.ts";
import { countingFailures } from "./sign-ins.limits.ts";
import { passFirstFactor, signInFailed, type SignInStep, type Visit } from "./sign-ins.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "jobs">;

/** Where to go, and what the browser has to bring back; undefined if no organisation has the address's domain. */
export interface Departure {
  redirectTo: string;
  browserToken: string;
}

/** Looks up the domain, never the account, so that accounts cannot be enumerated. */
export async function beginProviderSignIn(
  app: Needs,
  given: string,
  origin: Origin,
): Promise<Departure | undefined> {
  const email = normalEmail(given);
  const perWindow = app.config.limits.challengesPerMinute;
  const subject = networkOf(origin.address);
  await spend(app, origin, { name: "provider_challenge_address", perWindow, windowSeconds: 60, subject });
  const provider = await app.db.forSystem("sign-ins", (tx) => findProviderOfDomain(tx, domainOf(email)));
  if (!provider) return undefined;
  const { token } = await app.db.forCaller("unknown", (tx) =>
    openChallenge(tx, app, { purpose: "provider", reference: provider.id, tag: provider.tag }),
  );
  return {
    redirectTo: await providerAddress(app, provider, { ...tripOf(app, token), email }),
    browserToken: browserTokenOf(app, token),
  };
}

/** Replaces the password, not the code: a user with an authenticator app still needs a code. */
export async function signInWithProvider(
  app: Needs & Pick<App, "log">,
  given: { state: string; code: string; iss?: string | undefined },
  browserToken: string | undefined,
  visit: Visit,
): Promise<SignInStep> {
  return countingFailures(app, { address: "provider_address", origin: visit.origin }, async () => {
    const provider = await providerOf(app, given.state, browserToken);
    try {
      const claims = await askProvider(app, provider, tripOf(app, given.state), given);
      const person = await personOf(app, provider, claims, visit.origin);
      const from = { id: provider.id, organisationId: provider.organisation_id };
      return await enter(app, person, { ...visit, provider: from });
    } catch (error) {
      if (!(error instanceof ProviderFault || error instanceof ApiError)) throw error;
      const reason = error instanceof ProviderFault ? error.reason : error.message;
      await recordFailure(app, provider, visit.origin, reason);
      if (error instanceof ApiError) throw error;
      app.log.warn({ identity_provider: provider.id, reason }, "response of an identity provider rejected");
      throw signInFailed(
        "The response of your identity provider is not valid. Start again. If it fails again, an owner can find the reason in the audit log.",
      );
    }
  });
}

/**
 * The browser that returns must be the one that started, which prevents login CSRF by a link. Uses up the
 * state even if a later step fails.
 */
async function providerOf(
  app: Needs,
  state: string,
  browserToken: string | undefined,
): Promise<SealedProviderRow> {
  const isSame = isSameMac(Buffer.from(browserTokenOf(app, state)), Buffer.from(browserToken ?? ""));
  if (!isSame)
    throw new ApiError(
      "challenge_not_valid",
      "This sign-in was started in another browser. Start it in this one.",
    );
  const { reference } = await app.db.forCaller("unknown", (tx) => useChallenge(tx, app, "provider", state));
  const provider = await app.db.forSystem("sign-ins", (tx) => findSealedProvider(tx, reference!));
  if (!provider)
    throw new ApiError("challenge_not_valid", "Your organisation has removed this identity provider.");
  return provider;
}

async function enter(app: Needs, { id }: User, visit: Visit): Promise<SignInStep> {
  return app.db.forCaller({ userId: id }, async (tx) => {
    const user = await findUser(tx, id);
    if (!user || user.disabled_at) throw signInFailed("Your account is disabled.");
    return passFirstFactor(tx, app, user, visit);
  });
}

/**
 * Derived from the state by our key: the provider and observers of the URL cannot compute it, and nothing is
 * stored.
 */
function tripOf(app: Needs, state: string): Trip {
  return { state, nonce: derived(app, "nonce", state), verifier: derived(app, "verifier", state) };
}

/** Cookie of the browser that started the sign-in. */
export function browserTokenOf(app: Pick<App, "secrets">, state: string): string {
  return derived(app, "browser", state);
}

/** With the root key that the state was created with; what was not made here has none, and fits nothing. */
function derived({ secrets }: Pick<App, "secrets">, what: string, state: string): string {
  const rootId = rootOfChallenge(secrets, "provider", state) ?? secrets.current("provider-sign-in").rootId;
  return macOf(secrets.of("provider-sign-in", rootId), `${what}/${state}`).toString("base64url");
}

/** Recorded in the organisation's audit, because only its admins can fix it. */
async function recordFailure(
  app: Needs,
  { id, organisation_id }: SealedProviderRow,
  origin: Origin,
  reason: string,
): Promise<void> {
  await app.db.forSystem("sign-ins", (tx) =>
    recordAct(tx, authorOf(undefined, origin), app.clock.now(), {
      action: "session.opened",
      outcome: "refused",
      organisationId: organisation_id,
      detail: { factor: "provider", identity_provider_id: id, reason },
    }),
  );
}
