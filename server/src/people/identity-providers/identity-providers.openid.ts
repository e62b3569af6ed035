import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from "openid-client";
import type { App } from "../../app.ts";
import { guardedFetch } from "../../platform/egress-fetch.ts";
import { EgressFault } from "../../platform/egress.ts";
import { isEmail } from "../../platform/http/shapes.ts";
import { ApiError } from "../../platform/api-error.ts";
import { unseal } from "../../platform/sealed-secrets.ts";
import { normalEmail } from "../users/users.ts";
import { SECRET_PURPOSE } from "./identity-providers.rules.ts";
import type { SealedProviderRow } from "./identity-providers.store.ts";

type Needs = Pick<App, "config" | "secrets">;

/** The page that people come back to. */
export const REDIRECT_PATH = "/sign-in/provider";

/** Values of one redirect to the provider and back. */
export interface Trip {
  state: string;
  nonce: string;
  verifier: string;
}

/** Claims of a provider about a user. */
export interface Claims {
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
}

/** The provider's answer does not hold; the reason is for the audit. */
export class ProviderFault extends Error {
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`invalid response of an identity provider: ${reason}`, options);
    this.name = "ProviderFault";
    this.reason = reason;
  }
}

/** URL of the provider's sign-in page. */
export async function providerAddress(
  app: Needs,
  provider: SealedProviderRow,
  { state, nonce, verifier, email }: Trip & { email: string },
): Promise<string> {
  const configuration = await configurationOf(app, provider);
  const asked = {
    redirect_uri: app.config.baseUrl + REDIRECT_PATH,
    scope: "openid email profile",
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    login_hint: email,
  };
  try {
    return buildAuthorizationUrl(configuration, asked).href;
  } catch (error) {
    throw unavailable(`It names no address of the web to sign in at (${reasonOf(error)}).`);
  }
}

/** Exchanges the code and validates the response: issuer, audience, nonce, state, PKCE, times and signature. */
export async function askProvider(
  app: Needs,
  provider: SealedProviderRow,
  { state, nonce, verifier }: Trip,
  given: { code: string; iss?: string | undefined },
): Promise<Claims> {
  const configuration = await configurationOf(app, provider);
  const answer = new URL(app.config.baseUrl + REDIRECT_PATH);
  answer.search = new URLSearchParams({
    ...(given.iss !== undefined && { iss: given.iss }),
    code: given.code,
    state,
  }).toString();
  try {
    const tokens = await authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    // Some tell the address only on request.
    const said =
      claims["email"] === undefined && configuration.serverMetadata().userinfo_endpoint
        ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
    const email = typeof said["email"] === "string" ? normalEmail(said["email"]) : "";
    return {
      subject: claims.sub,
      email: isEmail(email) ? email : undefined,
      isEmailVerified: said["email_verified"] === true,
      name: typeof said["name"] === "string" ? said["name"] : undefined,
    };
  } catch (error) {
    const fault = egressFaultIn(error);
    if (fault) throw unavailable(fault.message);
    throw new ProviderFault(reasonOf(error), { cause: error });
  }
}

/** Provider metadata changes rarely. The library refreshes signing keys automatically. */
const KEPT_MS = 600_000;
const MOST_KEPT = 1_000;
const kept = new Map<string, { configuration: Promise<Configuration>; until: number }>();

/** Fetches the metadata once in ten minutes, however many people sign in at the same time. Failures are not cached. */
async function configurationOf(app: Needs, provider: SealedProviderRow): Promise<Configuration> {
  // Everything that the configuration depends on, so that a changed provider takes effect at once.
  const { id, issuer, client_id, sealed_secret } = provider;
  const name = [app.config.baseUrl, id, issuer, client_id, sealed_secret.toString("base64")].join(" ");
  const found = kept.get(name);
  if (found && found.until > performance.now()) return found.configuration;
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  const configuration = discover(app, provider);
  kept.delete(name);
  kept.set(name, { configuration, until: performance.now() + KEPT_MS });
  configuration.catch(() => kept.delete(name));
  return configuration;
}

async function discover({ config, secrets }: Needs, provider: SealedProviderRow): Promise<Configuration> {
  const secret = unseal(secrets.of(SECRET_PURPOSE, provider.root_id), provider.id, provider.sealed_secret);
  if (secret === undefined)
    throw unavailable("Its client secret can no longer be decrypted. An owner must enter it again.");
  const issuer = new URL(provider.issuer);
  // Plain http only if the operator allows it. The egress rules check each request.
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning to callers
  const insecurely = issuer.protocol === "http:" ? [allowInsecureRequests] : [];
  try {
    const configuration = await discovery(issuer, provider.client_id, undefined, secretAs(secret), {
      [customFetch]: guardedFetch(config.egress),
      execute: [enableNonRepudiationChecks, ...insecurely],
    });
    // The library accepts some known issuers for others. Here the issuer must match.
    if (new URL(configuration.serverMetadata().issuer).href !== issuer.href)
      throw new Error("Its metadata has a different issuer.");
    return configuration;
  } catch (error) {
    const fault = egressFaultIn(error);
    throw unavailable(
      fault?.message ?? `${issuer.host} does not return valid OpenID Connect metadata (${reasonOf(error)}).`,
    );
  }
}

/** As the provider wants it; `basic` where it does not say (OpenID Connect Discovery 1.0, section 3). */
function secretAs(secret: string): ClientAuth {
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = methods.includes("client_secret_basic") ? ClientSecretBasic : ClientSecretPost;
    authenticate(secret)(server, client, body, headers);
  };
}

function egressFaultIn(error: unknown): EgressFault | undefined {
  if (error instanceof EgressFault) return error;
  return error instanceof Error && error.cause ? egressFaultIn(error.cause) : undefined;
}

/** A word of the library's or of the provider's; never a token. */
function reasonOf(error: unknown): string {
  const { error: said, code, message } = error as { error?: unknown; code?: unknown; message?: unknown };
  const reason = [said, code, message].find((one) => typeof one === "string") ?? "unknown";
  return String(reason)
    .replaceAll(/[^\x20-\x7e]/g, "")
    .slice(0, 100);
}

function unavailable(detail: string): ApiError {
  return new ApiError("identity_provider_unavailable", `Your identity provider is unavailable. ${detail}`, {
    retryAfterSeconds: 5,
  });
}
