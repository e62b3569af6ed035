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
    this.name = "Refusal";
    this.code = code;
    this.status = ERRORS[code].status;
    this.options = options;
  }
}
