import type { Socket } from "node:net";
import { newId } from "../ids.ts";
import { ApiError } from "../api-error.ts";
import { PROBLEM_TYPE, problemOf } from "./problem.ts";
import { securityHeaders } from "./security-headers.ts";

/** The input is not HTTP, so there is no request. The socket gets an error in the usual format. */
export function answerMalformed(baseUrl: string, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const requestId = newId();
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const detail = isLate ? "The request did not arrive in time." : "This is not a well-formed HTTP request.";
  const apiError = new ApiError("invalid_request", detail);
  const body = JSON.stringify(problemOf(apiError, baseUrl, requestId));
  const headers = Object.entries(securityHeaders("api")).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${PROBLEM_TYPE}\r\nRequest-Id: ${requestId}\r\n${headers.join("")}` +
      `Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
