import { ERRORS } from "../error-catalogue.ts";
import type { Refusal, RefusedPart } from "../refusal.ts";

/** RFC 9457, with members of our own after the standard ones. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  request_id: string;
  retryable: boolean;
  errors?: RefusedPart[];
  [member: string]: unknown;
}

export const PROBLEM_TYPE = "application/problem+json";

export function problemOf(refusal: Refusal, baseUrl: string, requestId: string): Problem {
  const { title, retryable } = ERRORS[refusal.code];
  return {
    type: `${baseUrl}/docs/errors#${refusal.code}`,
    title,
    status: refusal.status,
    detail: refusal.message,
    instance: `urn:uuid:${requestId}`,
    code: refusal.code,
    request_id: requestId,
    retryable,
    ...(refusal.options.errors && { errors: refusal.options.errors }),
    ...refusal.options.members,
  };
}
