import type { App } from "../../src/app.ts";
import { newId } from "../../src/platform/ids.ts";
import type { Operation } from "../../src/platform/http/operation.ts";
import { ByNumber } from "../../src/platform/http/shapes.ts";
import type { Sent } from "../send.ts";
import { CALLER_CLASSES, type TestCaller } from "./caller-classes.ts";
import { prepare, type Served, sendAs } from "./isolation-matrix.ts";
import { type Holder, holderOf } from "./neighbours.ts";
import type { PreparedRequest } from "./request-fixtures.ts";
import { verdictOn } from "./verdict.ts";

/** A request that an allowed caller makes with an identifier it has no business with. */
interface Attempt {
  name: string;
  request: PreparedRequest;
}

/** No identifier at all, in shapes that programs, people and attackers send. */
const MALFORMED = [
  "0",
  "not-a-uuid",
  "me%00",
  "null",
  "%7B%7D",
  "..%2F..%2Fme",
  "%27%20or%201=1--",
  "0198c5f27c1e7a339d3f3f6a1c0f9b11",
  "%7B0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11%7D",
  "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11%20",
  "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b1g",
  "a".repeat(199),
  "a".repeat(2_000),
];

/** Parameter with the name of something within the identified resource. Requests may create it. */
const NAME = "name";

export function hasPathIds(operation: Operation<App>): boolean {
  return operation.path.includes("{");
}

/** Everything is created before the first request, so that afterwards no row may have changed. */
export async function foreignAttempts(
  served: Served,
  operation: Operation<App>,
): Promise<{ caller: TestCaller; attempts: Attempt[] }> {
  const { neighbours } = served;
  const caller = await strongestCaller(served, operation);
  const own = await prepare(served, operation, caller.holder);
  const attempts: Attempt[] = [];
  for (const name of Object.keys(own.params).filter((one) => one !== NAME)) {
    // Each with its own key: concurrent requests must not wait for each other.
    const withId = (id: string): PreparedRequest => ({
      ...own,
      headers: served.fixtures[operation.id]!.headers?.(own.body, neighbours) ?? {},
      params: { ...own.params, [name]: id },
    });
    const idOf = async (holder: Holder): Promise<string> =>
      (await prepare(served, operation, holder)).params[name]!;
    attempts.push({ name: "random", request: withId(newId()) });
    // The operator and the switches see every organisation: to them nothing is foreign.
    if (operation.access.callers !== "operator" && operation.access.callers !== "switch") {
      attempts.push({ name: "foreign", request: withId(await idOf(holderOf(neighbours.other))) });
      attempts.push({
        name: "foreign, in capitals",
        request: withId((await idOf(holderOf(neighbours.other))).toUpperCase()),
      });
    }
    if (served.fixtures[operation.id]!.isOfOneSide) {
      attempts.push({
        name: "of the other side",
        request: withId(await idOf({ ...caller.holder, environment: "test" })),
      });
    }
    attempts.push({
      name: "of something else",
      request: withId(
        operation.path.includes("/organisations/{")
          ? neighbours.home.owner.userId
          : neighbours.home.organisationId,
      ),
    });
    if (operation.params === ByNumber)
      for (const [kind, e164] of await foreignNumbers(served, caller, idOf))
        for (const id of [e164, e164.replace("+", "%2B")])
          attempts.push({ name: `${kind}, by its number ${id}`, request: withId(id) });
    attempts.push(...MALFORMED.map((id) => ({ name: `malformed: ${id.slice(0, 40)}`, request: withId(id) })));
  }
  return { caller, attempts };
}

/** Numbers that the caller has no open holding of, in their E.164 form. */
async function foreignNumbers(
  { neighbours }: Served,
  caller: TestCaller,
  idOf: (holder: Holder) => Promise<string>,
): Promise<[kind: string, e164: string][]> {
  const { admin } = neighbours.service.database;
  const e164Of = async (id: string): Promise<string> =>
    (await admin<{ e164: string }>("select e164 from holdings where id = $1", [id]))[0]!.e164;
  const released = await e164Of(await idOf(caller.holder));
  await admin(
    "update holdings set status = 'released', released_at = now(), restore_until = null where e164 = $1",
    [released],
  );
  return [
    ["unknown", "+4930999999999"],
    ["foreign", await e164Of(await idOf(holderOf(neighbours.other)))],
    ["of the other environment", await e164Of(await idOf({ ...caller.holder, environment: "test" }))],
    ["released", released],
  ];
}

/** All of them get the same response as the first, an unused ID. */
export async function foreignIdFaults(
  served: Served,
  operation: Operation<App>,
  caller: TestCaller,
  attempts: readonly Attempt[],
): Promise<string[]> {
  const answers = await Promise.all(attempts.map(({ request }) => sendAs(served, caller, request)));
  const expected = answers[0]!;
  if (expected.status !== 404 || expected.body.code !== operation.notFound) {
    return [`a random identifier: ${operation.notFound} expected, but ${expected.status} ${expected.text}`];
  }
  return answers.flatMap((answer, at) => {
    const isAlike = answer.status === 404 && withoutNames(answer) === withoutNames(expected);
    return isAlike ? [] : [`${attempts[at]!.name}: ${withoutNames(answer)}`];
  });
}

/** Visible parts of a response, without the two members that name the request. */
export function withoutNames({ status, headers, text, body }: Sent): string {
  const { date: _date, "request-id": named, ratelimit: _ratelimit, ...rest } = headers;
  const requestId = String(named);
  if (body?.request_id !== requestId || body?.instance !== `urn:uuid:${requestId}`) {
    throw new Error(`An answer that does not name its request: ${status} ${text}`);
  }
  return JSON.stringify({ status, headers: rest, text: text.replaceAll(requestId, "") });
}

/** The admitted caller with the most rights: a request that fails for them fails for all. */
export async function strongestCaller(served: Served, operation: Operation<App>): Promise<TestCaller> {
  const admitted = CALLER_CLASSES.filter(
    ({ traits }) => traits.kind !== "nobody" && verdictOn(operation.access, traits) === "admitted",
  );
  return admitted[0]!.make(served.neighbours);
}
