import { Type } from "typebox";
import { described, Name, shape } from "../../platform/http/shapes.ts";
import { LOOPBACK_URI } from "./authorisation-codes.pkce.ts";

const RedirectUri = Type.String({
  maxLength: 500,
  pattern: LOOPBACK_URI,
  description: "Loopback URL of the tool: 127.0.0.1 or [::1] with any port and a plain path.",
  examples: ["http://127.0.0.1:49152/callback"],
});

export const AuthoriseTool = shape("AuthoriseTool", {
  client_name: described(Name, "Name that the tool gives itself."),
  redirect_uri: RedirectUri,
  code_challenge: Type.String({
    maxLength: 43,
    pattern: "^[A-Za-z0-9_-]{43}$",
    examples: ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"],
    description: "SHA-256 of the code verifier in base64url (RFC 7636).",
  }),
  code_challenge_method: Type.Literal("S256", { description: "PKCE method. Only `S256` is supported." }),
  state: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: String.raw`^[\x21-\x7e]+$`,
    examples: ["xyzABC123"],
    description: "Opaque value of the tool. It is returned in `redirect_to`.",
  }),
});

export const AuthorisedTool = shape("ToolLetIn", {
  redirect_to: Type.String({
    maxLength: 2000,
    description: "URL to open in the browser: `redirect_uri` with the code and `state`.",
  }),
});

export const RedeemCode = shape("RedeemCode", {
  code: Type.String({ minLength: 1, maxLength: 200, description: "Code from the redirect. It works once." }),
  code_verifier: Type.String({
    maxLength: 128,
    pattern: "^[A-Za-z0-9._~-]{43,128}$",
    examples: ["dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"],
    description: "PKCE code verifier that matches `code_challenge` (RFC 7636).",
  }),
  redirect_uri: RedirectUri,
});
