import { operation } from "../../app.ts";
import { shownToolSession, ToolSession } from "../sessions/sessions.ts";
import { AuthoriseTool, RedeemCode, AuthorisedTool } from "./authorisation-codes.schema.ts";
import { authoriseTool, redeemCode } from "./authorisation-codes.ts";

const authoriseToolOperation = operation({
  id: "authoriseTool",
  method: "POST",
  path: "/v1/authorisation-codes",
  tag: "Tools",
  summary: "Let a tool on this machine in",
  description:
    "For the page a tool opens in the browser, after the person has agreed. Answers where the browser goes: back to the tool, with a code that works once within a minute.",
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
  summary: "Fetch the tool's session",
  description:
    "With the code the browser came back with, and the verifier whose SHA-256 was the code_challenge.",
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
