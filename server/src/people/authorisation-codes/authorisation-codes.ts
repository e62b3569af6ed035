import type { App } from "../../app.ts";
import type { Origin, SessionCaller } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import { oneTimeToken, rowOfToken } from "../../platform/one-time-tokens.ts";
import { ApiError } from "../../platform/api-error.ts";
import { authorOf, recordAct } from "../../events/audit/audit.ts";
import { enterTool, type ToolEntered, whileSignedIn } from "../sessions/sessions.ts";
import { findHomeTag } from "../users/users.ts";
import { CODE_MS, isVerifierOf, redirectTo } from "./authorisation-codes.pkce.ts";
import {
  deleteAuthorisationCode,
  deleteAuthorisationCodesBefore,
  insertAuthorisationCode,
} from "./authorisation-codes.store.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "jobs">;

const PURPOSE = "authorisation_code";

/** Where to send the browser: back to the tool that waits on this machine, with a code for it. */
export async function authoriseTool(
  app: Needs,
  caller: SessionCaller,
  tool: { clientName: string; redirectUri: string; codeChallenge: string; state: string },
  origin: Origin,
): Promise<string> {
  const now = app.clock.now();
  const id = newId();
  const stored = app.db.forCaller({ userId: caller.userId }, async (tx) => {
    await insertAuthorisationCode(tx, {
      id,
      user_id: caller.userId,
      session_id: caller.id,
      client_name: tool.clientName,
      redirect_uri: tool.redirectUri,
      code_challenge: tool.codeChallenge,
      created_at: now,
      expires_at: new Date(now.getTime() + CODE_MS),
    });
    await recordAct(tx, authorOf(caller, origin), now, {
      action: "tool.let_in",
      subject: id,
      detail: { client_name: tool.clientName },
    });
    return findHomeTag(tx, caller.userId);
  });
  await whileSignedIn(stored);
  return redirectTo(tool.redirectUri, {
    code: oneTimeToken(app.secrets, PURPOSE, id, await stored),
    state: tool.state,
    iss: app.config.baseUrl,
  });
}

/** The first attempt uses up the code, even if it fails: a stolen code allows one guess at the verifier. */
export async function redeemCode(
  app: Needs,
  given: { code: string; codeVerifier: string; redirectUri: string },
  origin: Origin,
): Promise<ToolEntered> {
  const now = app.clock.now();
  const id = rowOfToken(app.secrets, PURPOSE, given.code);
  const entered =
    id &&
    (await app.db.forCaller("unknown", async (tx) => {
      const row = await deleteAuthorisationCode(tx, id);
      const isRight =
        row &&
        row.expires_at > now &&
        row.redirect_uri === given.redirectUri &&
        isVerifierOf(row.code_challenge, given.codeVerifier);
      return isRight
        ? enterTool(tx, app, {
            userId: row.user_id,
            clientName: row.client_name,
            authorisedBy: row.session_id,
            origin,
          })
        : undefined;
    }));
  if (entered) return entered;
  throw new ApiError(
    "invalid_grant",
    "The code was already used, is older than one minute, or belongs to another request.",
  );
}

export async function sweepAuthorisationCodes({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await deleteAuthorisationCodesBefore(db, clock.now());
}
