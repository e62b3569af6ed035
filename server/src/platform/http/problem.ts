import { ERRORS } from "../error-catalogue.ts";
import type { ApiError, RejectedPart } from "../api-error.ts";

/** RFC 9457, with extension members after the standard ones. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  request_id: string;
  retryable: boolean;
  errors?: RejectedPart[];
  [member: string]: unknown;
}

export const PROBLEM_TYPE = "application/problem+json";

export function problemOf(apiError: ApiError, baseUrl: string, requestId: string): Problem {
  const { title, retryable } = ERRORS[apiError.code];
  return {
    type: `${baseUrl}/docs/errors#${apiError.code}`,
    title,
    status: apiError.status,
    detail: apiError.message,
    instance: `urn:uuid:${requestId}`,
    code: apiError.code,
    request_id: requestId,
    retryable,
    ...(apiError.options.errors && { errors: apiError.options.errors }),
    ...apiError.options.members,
  };
}
