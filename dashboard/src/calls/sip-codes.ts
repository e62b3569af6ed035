/** RFC 3261 and RFC 3398: the final status codes that calls usually end with. */
const PHRASES: Record<number, string> = {
  200: "OK",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  407: "Proxy Authentication Required",
  408: "Request Timeout",
  410: "Gone",
  480: "Temporarily Unavailable",
  482: "Loop Detected",
  483: "Too Many Hops",
  484: "Address Incomplete",
  486: "Busy Here",
  487: "Request Terminated",
  488: "Not Acceptable Here",
  500: "Server Internal Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Server Time-out",
  600: "Busy Everywhere",
  603: "Decline",
  604: "Does Not Exist Anywhere",
};

export const SIP_CODES = Object.keys(PHRASES).map(Number);

/** Code and phrase, such as "486 Busy Here". */
export function sipCode(code: number): string {
  const phrase = PHRASES[code];
  return phrase ? `${code} ${phrase}` : String(code);
}
