import { ApiError, ConnectionError } from "@dialplane/sdk";
import { sharedText } from "./components/shared-text.ts";

/** A failure in user-facing terms. */
export interface Failure {
  title: string;
  detail: string;
  requestId: string | undefined;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError)
    return {
      title: error.problem?.title ?? sharedText.requestFailed,
      detail: error.problem?.detail ?? sharedText.requestStatus(error.status),
      requestId: error.requestId,
    };
  if (error instanceof ConnectionError)
    return {
      title: sharedText.unreachable,
      detail: sharedText.unreachableDetail,
      requestId: undefined,
    };
  return {
    title: sharedText.pageFailed,
    detail: error instanceof Error ? error.message : String(error),
    requestId: undefined,
  };
}
