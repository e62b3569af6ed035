import {
  createClient,
  type Client,
  ConnectionError,
  NotFoundError,
  PreconditionError,
  type Settings,
} from "../index.ts";
import { ERROR_GUARANTEES } from "./guarantees-of-errors.ts";
import { WAIT_GUARANTEES } from "./guarantees-of-waiting.ts";
import { assertEqual, assertThat, failureOf } from "./assertions.ts";
import type { Scene } from "./scene.ts";

export type Guarantee = (scene: Scene) => Promise<void>;

const UNKNOWN = "00000000-0000-7000-8000-000000000000";

/** The SDK's guarantees, in a form that runs wherever the SDK does. */
export const GUARANTEES: Record<string, Guarantee> = {
  "a key learns who it is, and withResponse tells how the answer came": async (scene) => {
    const { data, status, requestId, attempts } = await asKey(scene).me.get().withResponse();
    assertEqual(data.caller.kind, "api_key");
    assertEqual([status, attempts], [200, 1]);
    assertThat(/^[0-9a-f-]{36}$/.test(requestId ?? ""), "a request id");
  },
  "for await sees every item of every page once, and await the first page": async (scene) => {
    const { numbers } = asKey(scene);
    const first = await numbers.list({ limit: 7 });
    assertEqual(first.data.length, 7);
    const ids: string[] = [];
    for await (const { id } of numbers.list({ limit: 7 })) ids.push(id);
    assertEqual([ids.length, new Set(ids).size], [scene.numbersHeld, scene.numbersHeld]);
    const sizes: number[] = [];
    for await (const { data } of numbers.list({ limit: 15 }).pages()) sizes.push(data.length);
    assertEqual(sizes, [15, scene.numbersHeld - 15]);
  },
  "a table is handed on as it comes": async (scene) => {
    const text = await new Response(await asKey(scene).numbers.export()).text();
    assertThat(text.startsWith("id,number,country"), "a line of names");
    assertEqual(text.trimEnd().split("\r\n").length, scene.numbersHeld + 1);
  },
  "a change whose answers got lost is done once": async (scene) => {
    const lossy = asOwner(scene, { fetch: losingAnswers(2) });
    const [id] = scene.numberIds;
    const before = await asOwner(scene).routing.get(id!);
    const { data, attempts, wasReplayed } = await lossy.routing
      .set(id!, { mode: "sip_uri", sip_uri: `sip:${scene.areaCode}-${Date.now()}@pbx.example.com` })
      .withResponse();
    assertEqual([attempts, wasReplayed], [3, true]);
    assertEqual(data.desired.generation, before.desired.generation + 1);
  },
  "a request by its address is tried again as the operation that is there": async (scene) => {
    const body = trunk(scene, "by address");
    const made = await asOwner(scene, { fetch: losingAnswers(1) })
      .request<{ id: string }>("POST", "/v1/connections", { body })
      .withResponse();
    assertEqual([made.attempts, made.wasReplayed], [2, true]);
    await asOwner(scene, { fetch: losingAnswers(1) }).request("DELETE", `/v1/connections/${made.data.id}`);
    assertThat(
      (await failureOf(asOwner(scene).connections.get(made.data.id))) instanceof NotFoundError,
      "gone",
    );
    const page = await asKey(scene).request<{ data: unknown[] }>("GET", "/v1/numbers?limit=2");
    assertEqual(page.data.length, 2);
  },
  "a deletion whose answer got lost is done": async (scene) => {
    const owner = asOwner(scene);
    const { id } = await owner.connections.create(trunk(scene, "short-lived"));
    await asOwner(scene, { fetch: losingAnswers(1) }).connections.delete(id);
    assertThat((await failureOf(owner.connections.get(id))) instanceof NotFoundError, "it is gone");
    assertThat((await failureOf(owner.connections.delete(UNKNOWN))) instanceof NotFoundError, "never there");
  },
  "what takes no key is not sent twice": async (scene) => {
    const owner = asOwner(scene);
    const { id } = await owner.connections.create(trunk(scene, "unkeyed"));
    const lossy = asOwner(scene, { fetch: losingAnswers(1) });
    const failure = await failureOf(lossy.connections.change(id, { name: `renamed-${scene.areaCode}` }));
    assertThat(failure instanceof ConnectionError && failure.call.attempts === 1, "one try");
    await owner.connections.delete(id);
  },
  "a key of the caller's own goes on with an earlier call": async (scene) => {
    const { connections } = asOwner(scene);
    const idempotencyKey = `${scene.areaCode}-${Date.now()}`;
    const body = trunk(scene, "resumed");
    const first = await connections.create(body, { idempotencyKey });
    const again = await connections.create(body, { idempotencyKey }).withResponse();
    assertEqual([again.data.id, again.wasReplayed], [first.id, true]);
    await connections.delete(first.id);
  },
  "somebody else's change in between is a PreconditionError": async (scene) => {
    const { routing } = asOwner(scene);
    const [, id] = scene.numberIds;
    const { desired } = await routing.get(id!);
    const target = { mode: "sip_uri", sip_uri: `sip:first-${Date.now()}@pbx.example.com` } as const;
    await routing.set(id!, target, { ifGeneration: desired.generation });
    const failure = await failureOf(
      routing.set(id!, { mode: "unrouted" }, { ifGeneration: desired.generation }),
    );
    assertThat(failure instanceof PreconditionError && failure.code === "generation_mismatch", "412");
  },
  "a client of several organisations works in the one it names, on the side it names": async (scene) => {
    const several = createClient({ baseUrl: scene.baseUrl, credential: scene.severalToken });
    assertEqual((await several.me.get()).memberships.length, 2);
    const here = several.with({ organisation: scene.organisationId });
    assertEqual((await here.numbers.list({ limit: 1000 })).data.length, scene.numbersHeld);
    const test = await here.with({ environment: "test" }).numbers.list({ q: "12025550100" });
    assertEqual(
      test.data.map(({ e164 }) => e164),
      ["+12025550100"],
    );
  },
  ...ERROR_GUARANTEES,
  ...WAIT_GUARANTEES,
};

/** Runs them all at once; null for each that holds, what went wrong for the others. */
export async function runGuarantees(scene: Scene): Promise<Record<string, string | null>> {
  const run = async ([name, guarantee]: [string, Guarantee]): Promise<[string, string | null]> => [
    name,
    await guarantee(scene).then(
      () => null,
      (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
    ),
  ];
  return Object.fromEntries(await Promise.all(Object.entries(GUARANTEES).map(run)));
}

function asKey({ baseUrl, key }: Scene): Client {
  return createClient({ baseUrl, credential: key });
}

function asOwner({ baseUrl, ownerToken }: Scene, more: Partial<Settings> = {}): Client {
  return createClient({ baseUrl, credential: ownerToken, ...more });
}

/** The request is executed, but the connection breaks before the response arrives. */
function losingAnswers(count: number): typeof fetch {
  let left = count;
  return async (...request) => {
    const answer = await fetch(...request);
    if (left-- <= 0) return answer;
    await answer.arrayBuffer();
    throw new TypeError("The line broke.");
  };
}

function trunk({ areaCode }: Scene, name: string) {
  return { name: `${name}-${areaCode}-${Date.now()}`, targets: [{ host: "sbc.example.com", priority: 1 }] };
}
