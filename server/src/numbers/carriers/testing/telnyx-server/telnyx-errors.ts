/** Of https://developers.telnyx.com/development/api-fundamentals/api-errors, those that numbers can meet. */
const TITLES = {
  "10004": "Missing required parameter",
  "10005": "Resource not found",
  "10007": "Unexpected error",
  "10009": "Authentication failed",
  "10011": "Too many requests",
  "10014": "Unsupported Media Type",
  "10015": "Bad Request",
  "10016": "Phone number must be in +E.164 format",
  "10023": "Invalid JSON",
  "85000": "Must search phone number via search API first",
  "85001": "Phone numbers not available",
} as const;
export type TelnyxCode = keyof typeof TITLES;

interface Source {
  /** JSON pointer into the body. */
  pointer?: string;
  /** Name in the query. */
  parameter?: string;
}

/** An error response of the server. */
export class TelnyxError extends Error {
  readonly status: number;
  readonly code: TelnyxCode;
  readonly source: Source | undefined;

  constructor(status: number, code: TelnyxCode, detail: string, source?: Source) {
    super(detail);
    this.status = status;
    this.code = code;
    this.source = source;
  }

  toBody() {
    const { code, message, source } = this;
    const meta = { url: `https://developers.telnyx.com/docs/overview/errors/${code}` };
    return { errors: [{ code, title: TITLES[code], detail: message, meta, ...(source && { source }) }] };
  }
}
