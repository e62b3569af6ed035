import { ApiError } from "../../platform/api-error.ts";

export function invalid(pointer: string, code: string, detail: string): ApiError {
  return new ApiError("invalid_request", detail, { errors: [{ pointer, code, detail }] });
}
