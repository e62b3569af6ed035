import { ApiError, ConnectionError } from "@dialplane/sdk";

/** A failure in user-facing terms. */
export interface Failure {
  title: string;
  detail: string;
  requestId: string | undefined;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError)
    return {
      title: error.problem?.title ?? "The service refused",
      detail: error.problem?.detail ?? `It answered with ${error.status}.`,
      requestId: error.requestId,
    };
  if (error instanceof ConnectionError)
    return {
      title: "The service does not answer",
      detail: "Nothing is lost. Try again in a moment.",
      requestId: undefined,
    };
  return {
    title: "This page failed",
    detail: error instanceof Error ? error.message : String(error),
    requestId: undefined,
  };
}
