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
  /** The session has ended, or the service requires reauthentication. */
  about: "session" | "identity";
  answered(isProven: boolean): void;
}

export const question = createStore<Question | undefined>(undefined);

/**
 * Runs a request. If the session has ended or reauthentication is required, it prompts and then repeats the
 * request, so that no input is lost.
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
