import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Context } from "oidc-provider";

interface CompanyPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** A company's identity provider: the real thing, whose people sign in without a password. */
export interface CompanyProvider extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** By their subject. */
  people: Map<string, CompanyPerson>;
  /** Subject of the current user. Default: the requested address. */
  who: string | undefined;
  /** How it deviates from what it should answer. */
  lies: Lies;
}

interface Lies {
  /** Changes the ID token's claims before signing. */
  claims?: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** With what it is signed in place of the key that the provider shows. */
  key?: KeyObject;
  /** Replaces the ID token. */
  token?: (token: string) => string;
  metadata?: (metadata: Record<string, unknown>) => Record<string, unknown>;
}

interface CompanyOptions {
  redirectUri?: string;
  /** Has a page with a button in front of it, for browsers. */
  hasPage?: boolean;
  /** Whether the ID token contains the address. Otherwise clients must use the userinfo endpoint. */
  isTalkative?: boolean;
}

const CLIENT_ID = "dialplane";
const CLIENT_SECRET = "a-secret-of-the-company's";

export async function openCompanyProvider({
  redirectUri = "http://127.0.0.1:8080/sign-in/provider",
  hasPage = false,
  isTalkative = true,
}: CompanyOptions = {}): Promise<CompanyProvider> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const company: CompanyProvider = {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    people: new Map(),
    who: undefined,
    lies: {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(issuer, configurationOf(company, privateKey, { redirectUri, isTalkative }));
  provider.use(async (ctx, next) => {
    await next();
    const { claims, key, token, metadata } = company.lies;
    if (token && ctx.path === "/token" && ctx.body?.id_token) ctx.body.id_token = token(ctx.body.id_token);
    if (metadata && ctx.path === "/.well-known/openid-configuration") ctx.body = metadata(ctx.body);
    if ((claims ?? key) && ctx.path === "/token" && ctx.body?.id_token)
      ctx.body.id_token = signedAnew(ctx.body.id_token, key ?? privateKey, claims);
  });
  const callback = provider.callback();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url!.startsWith("/interaction/")) return callback(request, response);
    if (hasPage && request.method === "GET") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(
        `<!doctype html><title>Company</title><form method="post"><button>Yes, it is me</button></form>`,
      );
      return;
    }
    const { params } = await provider.interactionDetails(request, response);
    const accountId = company.who ?? subjectOf(company, params["login_hint"]);
    await provider.interactionFinished(request, response, { login: { accountId } });
  }
  return company;
}

function configurationOf(
  company: CompanyProvider,
  privateKey: KeyObject,
  { redirectUri, isTalkative }: { redirectUri: string; isTalkative: boolean },
): Record<string, unknown> {
  return {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "1" }] },
    cookies: { keys: ["for the tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: !isTalkative,
    features: { devInteractions: { enabled: false } },
    // It takes those who leave it out: that it is ours which insists must show.
    pkce: { required: () => false },
    findAccount: (_: Context, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...company.people.get(sub) }),
    }),
    async loadExistingGrant({ oidc }: Context) {
      const { clientId } = oidc.client;
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}

function subjectOf({ people }: CompanyProvider, email: unknown): string {
  return [...people].find(([, person]) => person.email === email)![0];
}

function signedAnew(token: string, key: KeyObject, change: Lies["claims"] = (claims) => claims): string {
  const [header, body] = token.split(".");
  const claims = change(JSON.parse(Buffer.from(body!, "base64url").toString()) as Record<string, unknown>);
  const content = `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  return `${content}.${createSign("RSA-SHA256").update(content).sign(key, "base64url")}`;
}
