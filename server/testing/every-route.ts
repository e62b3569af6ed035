import { OPERATIONS } from "../src/operations.ts";
import { holderOf, type Neighbours } from "./walls/neighbours.ts";
import { addressOf, FIXTURES, prepareRequest } from "./walls/request-fixtures.ts";

export { OPERATIONS };

type Route = (typeof OPERATIONS)[number];

/** Operations for users and keys. Switches have neither cookies nor organisations. */
const ROUTES = OPERATIONS.filter(({ access }) => access.callers !== "switch");
export const UNSAFE_ROUTES = ROUTES.filter(({ method }) => method !== "GET");
export const READING_ROUTES = ROUTES.filter(({ method }) => method === "GET");

/** Do these last: they end the sessions that the other requests are prepared with. */
export const ENDS_SESSIONS = [
  "confirmAuthenticator",
  "removeAuthenticator",
  "removePasskey",
  "changePassword",
];

/** A request that would succeed for the home organisation's owner, with things made for it. */
export async function requestTo(
  neighbours: Neighbours,
  route: Route,
): Promise<{
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  isEndless?: true;
}> {
  const fixture = FIXTURES[route.id];
  if (!fixture) throw new Error(`${route.id} has no fixture.`);
  const request = await prepareRequest(neighbours, route, fixture, holderOf(neighbours.home));
  const { method, headers, body, isEndless } = request;
  return { method, path: addressOf(request), headers, body, ...(isEndless && { isEndless }) };
}
