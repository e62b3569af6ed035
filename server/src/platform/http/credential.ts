import type { FastifyRequest } from "fastify";
import { ApiError } from "../api-error.ts";

/** Credential in a request, not verified yet. */
export interface Credential {
  transport: "cookie" | "bearer";
  token: string;
}

export const SESSION_COOKIE = "__Host-svc_session";

/**
 * An Authorization header always wins, even an invalid one: a broken tool must not act as the browser's user.
 */
export function credentialOf(request: FastifyRequest): Credential | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1];
    return { transport: "bearer", token: token ?? "" };
  }
  const token = cookieOf(request.headers.cookie ?? "", SESSION_COOKIE);
  return token ? { transport: "cookie", token } : undefined;
}

export function sessionCookie(token: string, maxAgeSeconds: number): string {
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Lax`;
}

const SIGN_IN_COOKIE = "__Host-svc_sign_in";

/** Ties a sign-in that leads over another site to the browser that has begun it. */
export function signInCookie(token: string, maxAgeSeconds: number): string {
  return `${SIGN_IN_COOKIE}=${token}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Lax`;
}

export function signInTokenOf(request: FastifyRequest): string | undefined {
  return cookieOf(request.headers.cookie ?? "", SIGN_IN_COOKIE);
}

const DEVICE_COOKIE = "__Host-svc_device";

/** Lets devices.ts recognise this browser at the next sign-in. */
export function deviceCookie(token: string, maxAgeSeconds: number): string {
  return `${DEVICE_COOKIE}=${token}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Lax`;
}

export function deviceTokenOf(request: FastifyRequest): string | undefined {
  return cookieOf(request.headers.cookie ?? "", DEVICE_COOKIE);
}

export const ENDED_SESSION_COOKIE = sessionCookie("", 0);

/**
 * A change with a cookie must come from our own pages. Other cross-site requests are rejected too, which
 * prevents login CSRF.
 */
export function rejectCrossSite(
  request: FastifyRequest,
  baseUrl: string,
  { isCookie }: { isCookie: boolean },
): void {
  if (request.headers.authorization !== undefined) return;
  const site = request.headers["sec-fetch-site"];
  const { origin } = request.headers;
  const isOwn =
    site !== undefined
      ? site === "same-origin"
      : origin !== undefined
        ? origin === new URL(baseUrl).origin
        : !isCookie;
  if (!isOwn)
    throw new ApiError(
      "cross_site_request",
      "The request came from another site. Send it from the service's own pages.",
    );
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
