import { ApiError, AuthenticationError } from "@dialplane/sdk";
import { queryOptions } from "@tanstack/react-query";
import { createStore } from "../store.ts";
import { client } from "./client.ts";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => client.me.get({ signal }),
  staleTime: 60_000,
});

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => withSession(() => client.call("listPasskeys", {}, { signal })),
});

export const authenticatorQuery = queryOptions({
  queryKey: ["authenticator"],
  queryFn: ({ signal }) => withSession(() => client.call("getAuthenticator", {}, { signal })),
});

const POLICY_CODES = new Set([
  "organisation_second_factor_required",
  "single_sign_on_required",
  "session_too_old",
]);

/** Whether an organisation's sign-in policy is the reason. `meQuery` has the next step. */
export function isPolicyError(error: unknown): boolean {
  return error instanceof ApiError && POLICY_CODES.has(error.code ?? "");
}

/** Prompt over the current page, which stays unchanged. */
export interface Question {
  /** The session has ended, or it is there and the service wants to be sure who sits there. */
  about: "session" | "identity";
  answered(isProven: boolean): void;
}

export const question = createStore<Question | undefined>(undefined);

/**
 * Does what was wanted, and where the session has ended asks for it and continues: nothing typed is lost, and nothing
 * has to be pressed twice. The same where the service wants the password again.
 */
export async function withSession<Result>(run: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const about = questionOf(error);
    if (!about || !(await ask(about))) throw error;
  }
  return run();
}

function questionOf(error: unknown): Question["about"] | undefined {
  if (error instanceof AuthenticationError) return "session";
  return error instanceof ApiError && error.code === "reauthentication_required" ? "identity" : undefined;
}

let asking: Promise<boolean> | undefined;

/** Concurrent failures share one prompt. */
function ask(about: Question["about"]): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    question.set({ about, answered: resolve });
  }).finally(() => {
    asking = undefined;
    question.set(undefined);
  });
  return asking;
}
