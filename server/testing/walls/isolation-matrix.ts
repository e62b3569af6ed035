import { Agent } from "node:http";
import type { App } from "../../src/app.ts";
import { type ErrorCode, ERRORS } from "../../src/platform/error-catalogue.ts";
import type { Operation } from "../../src/platform/http/operation.ts";
import { send, type Sent } from "../send.ts";
import { answerFaults } from "./answer-faults.ts";
import { CALLER_CLASSES, type CallerClass, callerPool, type TestCaller } from "./caller-classes.ts";
import type { Holder, Neighbours } from "./neighbours.ts";
import type { Fixtures } from "./fixture.ts";
import { FIXTURES, addressOf, type PreparedRequest, prepareRequest } from "./request-fixtures.ts";
import { ABOUT_THE_CALLER, verdictOn } from "./verdict.ts";

const KEPT = new Agent({ keepAlive: true });

/** A server with a table of operations, and how to make a good request to each of them. */
export interface Served {
  neighbours: Neighbours;
  url: string;
  fixtures: Fixtures;
  refused(one: CallerClass): Promise<TestCaller>;
}

export function servedBy(neighbours: Neighbours, url: string, fixtures: Fixtures): Served {
  return { neighbours, url, fixtures, refused: callerPool(neighbours) };
}

export async function prepare(
  { neighbours, fixtures }: Served,
  operation: Operation<App>,
  of: Holder,
): Promise<PreparedRequest> {
  const fixture = fixtures[operation.id];
  if (!fixture) throw new Error(`${operation.id} has no row among the fixtures.`);
  return prepareRequest(neighbours, operation, fixture, of);
}

/** Drops filters from the query, except required parameters. */
export function widest(operation: Operation<App>, request: PreparedRequest): PreparedRequest {
  const { required = [] } = (operation.query ?? {}) as { required?: string[] };
  return { ...request, query: required.length > 0 ? request.query : "" };
}

export function sendAs(
  { url }: Served,
  caller: { headers: Record<string, string> },
  request: PreparedRequest,
): Promise<Sent> {
  const { method, headers, body, isEndless } = request;
  return send(url, method, addressOf(request), {
    headers: { ...headers, ...caller.headers },
    ...(body !== undefined && { body }),
    ...(isEndless && { isEndless }),
    agent: KEPT,
  });
}

/** Every kind of caller whom the operation's declaration rejects is rejected, for just that reason. */
export async function refusalFaults(
  served: Served,
  operation: Operation<App>,
  request: PreparedRequest,
  { isOnePerVerdict = false }: { isOnePerVerdict?: boolean } = {},
): Promise<string[]> {
  const refused = CALLER_CLASSES.filter((one) => verdictOn(operation.access, one.traits) !== "admitted");
  const faults = await Promise.all(
    (isOnePerVerdict ? onePerVerdict(operation, refused) : refused).map(async (one) => {
      const verdict = verdictOn(operation.access, one.traits);
      const answer = await sendAs(served, await served.refused(one), request);
      return refusalFault(verdict as ErrorCode, answer).map((fault) => `${one.name}: ${fault}`);
    }),
  );
  return faults.flat();
}

function refusalFault(code: ErrorCode, answer: Sent): string[] {
  const faults: string[] = [];
  if (answer.status !== ERRORS[code].status || answer.body?.code !== code) {
    faults.push(`${code} expected, but ${answer.status} ${answer.body?.code}`);
  }
  if ((answer.status === 401) !== "www-authenticate" in answer.headers)
    faults.push("WWW-Authenticate goes with 401, and only with it");
  return faults;
}

/** Every kind of caller whom the declaration admits gets what it asks for, in the shape that was promised. */
export async function admissionFaults(
  served: Served,
  operation: Operation<App>,
  { isOnePerKind }: { isOnePerKind: boolean },
): Promise<string[]> {
  const admitted = CALLER_CLASSES.filter((one) => verdictOn(operation.access, one.traits) === "admitted");
  const faults: string[] = [];
  const isShort = isOnePerKind || operation.access.callers === "anyone";
  for (const one of isShort ? onePerKind(admitted) : admitted) {
    // A change can use up its user (leaving, signing out). A read cannot, and no request uses up a key.
    const isUsedUp = one.traits.kind === "session" && operation.method !== "GET";
    const caller = await (isUsedUp ? one.make(served.neighbours) : served.refused(one));
    const answer = await sendAs(served, caller, await prepare(served, operation, caller.holder));
    if (operation.access.callers === "anyone" && one.traits.kind !== "nobody") {
      if (ABOUT_THE_CALLER.has(answer.body?.code))
        faults.push(`${one.name}: ${answer.body.code} where anyone may call`);
    } else if (FIXTURES[operation.id]?.isOfMembers && isStranger(one)) {
      faults.push(...refusalFault(operation.notFound!, answer).map((fault) => `${one.name}: ${fault}`));
    } else faults.push(...answerFaults(operation, answer).map((fault) => `${one.name}: ${fault}`));
  }
  return faults;
}

function isStranger({ traits }: CallerClass): boolean {
  return traits.kind === "session"
    ? traits.role === undefined
    : traits.kind === "api_key" && traits.isStranger;
}

/** One of each kind of caller for each reason of the rejection. */
function onePerVerdict(operation: Operation<App>, classes: typeof CALLER_CLASSES): typeof CALLER_CLASSES {
  const keyOf = ({ traits }: (typeof CALLER_CLASSES)[number]): string =>
    `${traits.kind} ${verdictOn(operation.access, traits)}`;
  return [...new Map(classes.map((one) => [keyOf(one), one])).values()];
}

/** One caller of each kind, for operations and runs in which the role makes no difference. */
function onePerKind(classes: readonly CallerClass[]): CallerClass[] {
  return [...Map.groupBy(classes, ({ traits }) => traits.kind).values()].map(([first]) => first!);
}
