import { operation } from "../../app.ts";
import { shownToolSession, ToolSession } from "../sessions/sessions.ts";
import { AuthoriseTool, RedeemCode, AuthorisedTool } from "./authorisation-codes.schema.ts";
import { authoriseTool, redeemCode } from "./authorisation-codes.ts";

const authoriseToolOperation = operation({
  id: "authoriseTool",
  method: "POST",
  path: "/v1/authorisation-codes",
  tag: "Tools",
  summary: "Authorise a tool",
  description:
    "For the page that a tool opens in the browser, after the user has agreed. Returns the URL that leads back to the tool, with a code that works once within a minute.",
  access: { callers: "authenticated", sessions: { roles: "any", browser: true, recent: true }, keys: "none" },
  idempotency: "none",
  body: AuthoriseTool,
  answers: { 201: AuthorisedTool },
  http: { hasSecret: true },
  async run(app, { caller, body, origin }) {
    const tool = {
      clientName: body.client_name,
      redirectUri: body.redirect_uri,
      codeChallenge: body.code_challenge,
      state: body.state,
    };
    return { status: 201, body: { redirect_to: await authoriseTool(app, caller, tool, origin) } };
  },
});

const redeemCodeOperation = operation({
  id: "redeemCode",
  method: "POST",
  path: "/v1/authorisation-codes/redeem",
  tag: "Tools",
  summary: "Redeem an authorisation code",
  description: "Returns a session for the tool. Send the code from the redirect and the PKCE code verifier.",
  access: { callers: "anyone" },
  idempotency: "none",
  body: RedeemCode,
  answers: { 201: ToolSession },
  http: { hasSecret: true },
  errors: ["invalid_grant"],
  async run(app, { body, origin }) {
    const given = { code: body.code, codeVerifier: body.code_verifier, redirectUri: body.redirect_uri };
    return { status: 201, body: shownToolSession(await redeemCode(app, given, origin)) };
  },
});

export const authorisationCodesOperations = [authoriseToolOperation, redeemCodeOperation];
