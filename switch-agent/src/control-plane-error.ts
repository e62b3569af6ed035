/** Code of a response that has none. */
export const NO_CODE = "unknown";

/** The service answered, but not what was requested. */
export class ControlPlaneError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(`The service returned ${status} ${code}: ${detail}`);
    this.name = "ControlPlaneError";
    this.status = status;
    this.code = code;
  }
}

/** The operator has retired this switch: what it holds may be another's by now. */
export function isRetired(error: unknown): boolean {
  return error instanceof ControlPlaneError && error.code === "switch_retired";
}

/** The service does not understand the request: it may be of an earlier version. */
export function isMalformed(error: unknown): boolean {
  return error instanceof ControlPlaneError && error.status === 400;
}

/** The credential is not accepted: asking again soon would not help. */
export function isDenied(error: unknown): boolean {
  return error instanceof ControlPlaneError && (error.status === 401 || error.status === 403);
}
