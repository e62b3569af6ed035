import { randomUUID } from "node:crypto";
import type { App } from "../../../app.ts";
import {
  seedKey,
  seedMembership,
  seedNumbers,
  seedOrganisation,
  seedPerson,
  seedSession,
} from "../../../seed.ts";
import { send, type Sent } from "../../../../testing/send.ts";
import { until } from "../../../../testing/service.ts";

/** Recovering: the carrier answers again, and what had to wait is made up for. */
export type Phase = "healthy" | "silent" | "recovering";

interface Seeded {
  /** Holds numbers, and has nothing to do with the carrier. */
  reader: { key: string; token: string; numberIds: string[] };
  buyer: string;
}

/** Clients of the test and their responses. */
export interface Callers extends Seeded {
  url: string;
  orderable: Iterator<string>;
  phase: Phase;
  reads: { dueMs: number; ms: number }[];
  failed: string[];
  /** Responses by kind, and the slowest. */
  searches: Record<Phase, { answers: Record<string, number>; slowestMs: number }>;
  ordered: string[];
  testOrders: number;
}

export const TOUCHES_PER_SECOND = 8;
const NUMBERS = 500;
const SEARCH = "/v1/numbers/inventory?country=US&type=toll_free";

export async function seedCallers(app: App): Promise<Seeded> {
  const ownerOf = async (name: string) => {
    const organisationId = await seedOrganisation(app, name);
    const owner = await seedPerson(app, { name, email: `${name.toLowerCase()}@example.com` });
    await seedMembership(app, organisationId, owner.userId, "owner");
    return { organisationId, owner, token: await seedSession(app, owner, "tool") };
  };
  const { organisationId, owner, token } = await ownerOf("Reader");
  const numbers = await seedNumbers(app, organisationId, "live", NUMBERS);
  const { secret } = await seedKey(app, owner, {
    organisationIds: [organisationId],
    environment: "live",
    scopes: ["numbers"],
    name: "Reads",
  });
  return {
    reader: { key: secret, token, numberIds: numbers.map(({ id }) => id) },
    buyer: (await ownerOf("Buyer")).token,
  };
}

export function openCallers(given: Seeded & Pick<Callers, "url" | "orderable">): Callers {
  const none = () => ({ answers: {}, slowestMs: 0 });
  return {
    ...given,
    phase: "healthy",
    reads: [],
    failed: [],
    searches: { healthy: none(), silent: none(), recovering: none() },
    ordered: [],
    testOrders: 0,
  };
}

type Answer = Pick<Sent, "status" | "text" | "body">;

export async function read(callers: Callers, nth: number, dueMs: number): Promise<void> {
  const { key, token, numberIds } = callers.reader;
  const id = numberIds[nth % numberIds.length]!;
  const [path, credential] = (
    [
      ["/v1/numbers?limit=20", key],
      [`/v1/numbers/${id}/routing`, key],
      ["/v1/me", token],
    ] as const
  )[nth % 3]!;
  const answer = await ask(callers, "GET", path, { token: credential });
  callers.reads.push({ dueMs, ms: performance.now() - dueMs });
  if (answer.status !== 200) callers.failed.push(told(callers, answer, `GET ${path}`));
}

const WARM_UP_READS = 30;

/** Reads until the API answers a burst without an error. A process that has just started has plans to make. */
export async function warmUp(callers: Callers): Promise<void> {
  await until(async () => {
    const trial = openCallers(callers);
    const nths = Array.from({ length: WARM_UP_READS }, (_, nth) => nth);
    await Promise.all(nths.map((nth) => read(trial, nth, performance.now())));
    return trial.failed.length === 0;
  });
}

/** Searches, orders, and now and then an order of a test environment, which another carrier sees to. */
export async function touchCarrier(callers: Callers, nth: number): Promise<void> {
  if (nth % 2 === 1) return void (await search(callers));
  const isTest = nth % TOUCHES_PER_SECOND === 0;
  const e164 = isTest ? `+1${areaOf(callers.testOrders++)}5550150` : callers.orderable.next().value!;
  const answer = await ask(callers, "POST", "/v1/numbers/orders", {
    token: callers.buyer,
    headers: { "idempotency-key": randomUUID(), "x-service-environment": isTest ? "test" : "live" },
    body: { numbers: [e164] },
  });
  if (answer.status !== 202) callers.failed.push(told(callers, answer, "an order"));
  else if (!isTest) callers.ordered.push(e164);
}

function told({ phase }: Callers, { status, body, text }: Answer, what: string): string {
  return `${phase}: ${status} ${body?.code ?? text} to ${what}`;
}

export async function search(callers: Callers): Promise<Answer> {
  const { phase, searches, buyer } = callers;
  const askedAt = performance.now();
  const answer = await ask(callers, "GET", SEARCH, { token: buyer });
  // A request that spans two phases counts for neither.
  if (callers.phase !== phase) return answer;
  const found = searches[phase];
  const said = `${answer.status}, ${answer.body?.data?.length ?? 0} found`;
  found.answers[said] = (found.answers[said] ?? 0) + 1;
  found.slowestMs = Math.max(found.slowestMs, Math.round(performance.now() - askedAt));
  return answer;
}

/** A broken socket counts as an unexpected response. */
async function ask(
  { url }: Callers,
  method: string,
  path: string,
  { token, headers, body }: { token: string; headers?: Record<string, string>; body?: object },
): Promise<Answer> {
  return send(url, method, path, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body && { body }),
  }).catch((error: Error) => ({ status: 0, text: error.message, body: undefined }));
}

/** Passes over the area codes that need evidence, 628 and 629. */
function areaOf(nth: number): number {
  const area = 300 + nth;
  return area < 628 ? area : area + 2;
}
