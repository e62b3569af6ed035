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

/** Asks for the domain and never for the person: whether somebody has an account does not show. */
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

/** Stands for the password, not for the code: whoever has an authenticator app is requested that as ever. */
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
      app.log.warn({ identity_provider: provider.id, reason }, "an identity provider's answer was refused");
      throw signInFailed(
        "The answer of your identity provider does not hold; begin again. If that does not help, an owner finds the reason in the audit.",
      );
    }
  });
}

/**
 * Only where the browser that comes back is the one that left: nobody is signed in by a link to somebody else's
 * answer. The state is used up by that, whatever comes after.
 */
async function providerOf(
  app: Needs,
  state: string,
  browserToken: string | undefined,
): Promise<SealedProviderRow> {
  const isSame = isSameMac(Buffer.from(browserTokenOf(app, state)), Buffer.from(browserToken ?? ""));
  if (!isSame)
    throw new ApiError("challenge_not_valid", "This sign-in was not begun in this browser; begin it here.");
  const { reference } = await app.db.forCaller("unknown", (tx) => useChallenge(tx, app, "provider", state));
  const provider = await app.db.forSystem("sign-ins", (tx) => findSealedProvider(tx, reference!));
  if (!provider)
    throw new ApiError("challenge_not_valid", "Your organisation has removed this provider meanwhile.");
  return provider;
}

async function enter(app: Needs, { id }: User, visit: Visit): Promise<SignInStep> {
  return app.db.forCaller({ userId: id }, async (tx) => {
    const user = await findUser(tx, id);
    if (!user || user.disabled_at) throw signInFailed("Your account is disabled.");
    return passFirstFactor(tx, app, user, visit);
  });
}

/** Made from the state by a key of ours: the provider and whoever sees the address know none of it, and nothing is stored. */
function tripOf(app: Needs, state: string): Trip {
  return { state, nonce: derived(app, "nonce", state), verifier: derived(app, "verifier", state) };
}

/** What only the browser that has begun holds, as a cookie. */
export function browserTokenOf(app: Pick<App, "secrets">, state: string): string {
  return derived(app, "browser", state);
}

/** With the root key that the state was created with; what was not made here has none, and fits nothing. */
function derived({ secrets }: Pick<App, "secrets">, what: string, state: string): string {
  const rootId = rootOfChallenge(secrets, "provider", state) ?? secrets.current("provider-sign-in").rootId;
  return macOf(secrets.of("provider-sign-in", rootId), `${what}/${state}`).toString("base64url");
}

/** In the organisation's own audit: only there can somebody do something about it. */
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
