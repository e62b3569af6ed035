import { ERRORS, type ErrorCode } from "./error-catalogue.ts";

/** Error in one part of the request. */
export interface RejectedPart {
  pointer?: string;
  parameter?: string;
  header?: string;
  code: string;
  detail: string;
}

interface ApiErrorOptions {
  errors?: RejectedPart[];
  /** Further members of the problem, for programs: what the prose says must also be a field. */
  members?: Record<string, unknown>;
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
}

/** A "no" the caller can act on. Anything else that is thrown is our fault and becomes a bare 500. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly options: ApiErrorOptions;

  constructor(code: ErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail);
    this.name = "ApiError";
    this.code = code;
    this.status = ERRORS[code].status;
    this.options = options;
  }
}

export type NotFoundCode = Extract<ErrorCode, `${string}not_found`>;

/** Scope of the look-up. Other resources belong to the whole installation. */
const SCOPES: Partial<Record<NotFoundCode, string>> = {
  number_not_found: " in this organisation and environment",
  connection_not_found: " in this organisation and environment",
  address_not_found: " in this organisation and environment",
  document_not_found: " in this organisation and environment",
  bulk_change_not_found: " in this organisation and environment",
  order_not_found: " in this organisation and environment",
  reservation_not_found: " in this organisation and environment",
  webhook_endpoint_not_found: " in this organisation and environment",
  api_key_not_found: " in this organisation and environment",
  view_not_found: " among yours and those of this organisation and environment",
  member_not_found: " in this organisation",
  invitation_not_found: " in this organisation",
  identity_provider_not_found: " in this organisation",
  job_not_found: " in your organisations",
  session_not_found: " in your account",
  passkey_not_found: " in your account",
};

/** The detail depends on the code alone, so that the response does not show whether a foreign ID exists. */
export function notFound(code: NotFoundCode, callers?: string): ApiError {
  if (code === "not_found") return new ApiError(code, "No resource at this path. /docs lists all paths.");
  const noun = code.slice(0, -"_not_found".length).replaceAll("_", " ").replace("api key", "API key");
  const scope = callers === "operator" ? undefined : SCOPES[code];
  return new ApiError(code, `No ${noun} with this ID${scope ?? ""}.`);
}
