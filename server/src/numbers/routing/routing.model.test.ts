import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import { MODEL_SEED } from "../../../testing/model-seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { suspendNumber } from "../numbers/numbers.ts";
import { isLong } from "../../../testing/test-size.ts";

interface Desired {
  mode: string;
  connection_id?: string;
}

/** Expected state of one number, in memory. */
interface ModelNumber {
  id: string;
  e164: string;
  label: string | null;
  tags: string[];
  isSuspended: boolean;
  /** Index 0 is generation 1. */
  revisions: Desired[];
}

/** All there is in one organisation. */
interface Model {
  numbers: ModelNumber[];
  /** Their ids; undefined if there is none now. */
  connections: (string | undefined)[];
}

type Caller = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Sent>;
type Command = fc.AsyncCommand<Model, Caller>;

let service: Service;
beforeAll(async () => {
  service = await startService({ settings: { FORWARD_PREFIXES: "+44" } });
});
afterAll(() => service[Symbol.asyncDispose]());

const RUNS = isLong ? 2_000 : 100;

test(
  `${RUNS} random histories of numbers, connections and routing agree with a model (MODEL_SEED=${MODEL_SEED})`,
  { timeout: isLong ? 3_600_000 : 240_000 },
  async () => {
    console.log(`MODEL_SEED=${MODEL_SEED}`);
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 12, size: "+1" }), async (commands) => {
        await fc.asyncModelRun(newOrganisation, commands);
      }),
      { seed: MODEL_SEED, numRuns: RUNS, endOnFailure: true },
    );
  },
);

/** A separate organisation for each history, so that lists show only what is in the model. */
async function newOrganisation(): Promise<{ model: Model; real: Caller }> {
  const organisation = await service.organisation();
  const { token } = await service.person({ [organisation]: "owner" });
  const seeded = await seedNumbers(service.app, organisation, "live", 2);
  const numbers = seeded.map((one) => ({
    ...one,
    label: null,
    tags: [],
    isSuspended: false,
    revisions: [{ mode: "unrouted" }],
  }));
  const call: Caller = (method, path, body, headers = {}) =>
    service.send(method, path, {
      headers: { ...bearer(token), ...headers },
      ...(body !== undefined && { body }),
    });
  const model: Model = { numbers, connections: [undefined, undefined] };
  await new CreateConnection(0).run(model, call);
  return { model, real: call };
}

/** A connection by its place in the model: which one that is, is known only when it is used. */
type Wish = Desired | { mode: "connection"; place: number };

const wish: fc.Arbitrary<Wish> = fc.oneof(
  fc.constant({ mode: "unrouted" }),
  fc.constantFrom("a", "b", "c").map((user) => ({ mode: "sip_uri", sip_uri: `sip:${user}@pbx.example.com` })),
  fc.constantFrom("1", "2").map((digit) => ({ mode: "forward", forward_to: `+44207946000${digit}` })),
  fc.constantFrom(0, 0, 0, 1).map((place) => ({ mode: "connection" as const, place })),
);
const which = fc.nat({ max: 1 });

/** The error that a change to this meets, in the order of the checks; undefined for none. */
function errorOf(
  { connections }: Model,
  { isSuspended }: ModelNumber,
  { connection_id: used }: Desired,
): object | undefined {
  if (isSuspended) return { status: 409, body: { code: "number_not_active" } };
  if (used !== undefined && !connections.includes(used))
    return { status: 422, body: { code: "connection_unknown" } };
  return undefined;
}

abstract class Step implements Command {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
  check(_model: Readonly<Model>): boolean {
    return true;
  }
  abstract run(model: Model, call: Caller): Promise<void>;
  toString(): string {
    return `${this.constructor.name}${JSON.stringify(this)}`;
  }
}

class SetRouting extends Step {
  readonly wanted: Wish;
  readonly expected: "none" | "right" | "wrong";
  constructor(at: number, wanted: Wish, expected: "none" | "right" | "wrong") {
    super(at);
    this.wanted = wanted;
    this.expected = expected;
  }
  async run(model: Model, call: Caller): Promise<void> {
    const number = model.numbers[this.at]!;
    const { id, revisions } = number;
    const { wanted } = this;
    const desired: Desired =
      "place" in wanted
        ? { mode: "connection", connection_id: model.connections[wanted.place] ?? newId() }
        : wanted;
    const generation = revisions.length;
    const headers = {
      "idempotency-key": randomUUID(),
      ...(this.expected === "right" && { "if-match": `"${generation}"` }),
      ...(this.expected === "wrong" && { "if-match": `"${generation + 1}"` }),
    };
    const put = (): Promise<Sent> => call("PUT", `/v1/numbers/${id}/routing`, desired, headers);
    const answer = await put();
    const apiError =
      this.expected === "wrong" ? { status: 412, body: { generation } } : errorOf(model, number, desired);
    if (apiError) return expect(answer).toMatchObject(apiError);
    expect(answer.status).toBe(200);
    if (!isEqual(revisions.at(-1)!, desired)) revisions.push(desired);
    expect(answer.body.desired).toMatchObject({ ...desired, generation: revisions.length });
    expect((await put()).text).toBe(answer.text);
  }
}

class RollBack extends Step {
  readonly back: number;
  constructor(at: number, back: number) {
    super(at);
    this.back = back;
  }
  async run(model: Model, call: Caller): Promise<void> {
    const number = model.numbers[this.at]!;
    const { id, revisions } = number;
    const generation = Math.max(revisions.length - this.back, 1);
    const desired = revisions[generation - 1]!;
    const answer = await call("POST", `/v1/numbers/${id}/routing/rollback`, { generation });
    const apiError = errorOf(model, number, desired);
    if (apiError) return expect(answer).toMatchObject(apiError);
    expect(answer.status).toBe(200);
    if (!isEqual(revisions.at(-1)!, desired)) revisions.push(desired);
    expect(answer.body.desired).toMatchObject({ ...desired, generation: revisions.length });
  }
}

class Describe extends Step {
  readonly label: string | null;
  readonly tags: string[];
  constructor(at: number, label: string | null, tags: string[]) {
    super(at);
    this.label = label;
    this.tags = tags;
  }
  async run({ numbers }: Model, call: Caller): Promise<void> {
    const number = numbers[this.at]!;
    const answer = await call("PATCH", `/v1/numbers/${number.id}`, { label: this.label, tags: this.tags });
    expect(answer.status).toBe(200);
    Object.assign(number, { label: this.label, tags: this.tags });
  }
}

/** By the operator: suspends what is active, and lets continue what is suspended. */
class SuspendOrResume extends Step {
  async run({ numbers }: Model): Promise<void> {
    const number = numbers[this.at]!;
    number.isSuspended = !number.isSuspended;
    const isDone = await suspendNumber(service.app, systemAuthor("model"), number.e164, number.isSuspended);
    expect(isDone).toBe(true);
  }
}

class CreateConnection extends Step {
  override check({ connections }: Readonly<Model>): boolean {
    return connections[this.at] === undefined;
  }
  async run({ connections }: Model, call: Caller): Promise<void> {
    const answer = await call("POST", "/v1/connections", {
      name: `Trunk ${this.at}`,
      targets: [{ host: "pbx.example.com" }],
    });
    expect(answer).toMatchObject({ status: 201, body: { generation: 1, in_use_by: 0 } });
    connections[this.at] = answer.body.id;
  }
}

class DeleteConnection extends Step {
  override check({ connections }: Readonly<Model>): boolean {
    return connections[this.at] !== undefined;
  }
  async run({ numbers, connections }: Model, call: Caller): Promise<void> {
    const path = `/v1/connections/${connections[this.at]}`;
    const users = numbers.filter(
      ({ revisions }) => revisions.at(-1)!.connection_id === connections[this.at],
    ).length;
    expect((await call("GET", path)).body).toMatchObject({ in_use_by: users });
    const answer = await call("DELETE", path);
    if (users > 0) return expect(answer).toMatchObject({ status: 409, body: { code: "connection_in_use" } });
    expect(answer.status).toBe(204);
    expect((await call("GET", path)).status).toBe(404);
    connections[this.at] = undefined;
  }
}

class Look extends Step {
  async run({ numbers }: Model, call: Caller): Promise<void> {
    const { id, revisions, label, tags, isSuspended } = numbers[this.at]!;
    const [routing, history, number] = await Promise.all([
      call("GET", `/v1/numbers/${id}/routing`),
      call("GET", `/v1/numbers/${id}/routing/revisions`),
      call("GET", `/v1/numbers/${id}`),
    ]);
    const { mode } = revisions.at(-1)!;
    const generation = revisions.length;
    expect(routing.body).toMatchObject({
      desired: { ...revisions.at(-1)!, generation },
      effective_reason: isSuspended ? "number_suspended" : null,
    });
    expect(history.body.data.map((one: { desired: object }) => one.desired)).toEqual(revisions.toReversed());
    expect(number.body).toMatchObject({
      label,
      tags,
      status: isSuspended ? "suspended" : "active",
      routing: { mode, generation, status: routing.body.status },
    });
  }
}

/** Filters narrow each other; a number that is suspended keeps its mode. */
class List extends Step {
  readonly filters: { tag?: string; mode?: string; status?: string };
  constructor(filters: List["filters"]) {
    super(0);
    this.filters = filters;
  }
  async run({ numbers }: Model, call: Caller): Promise<void> {
    const { tag, mode, status } = this.filters;
    const answer = await call("GET", `/v1/numbers?${new URLSearchParams(this.filters).toString()}`);
    const listed = numbers.filter(
      ({ tags, revisions, isSuspended }) =>
        (!tag || tags.includes(tag)) &&
        (!mode || mode === revisions.at(-1)!.mode) &&
        (!status || (status === "suspended") === isSuspended),
    );
    expect(answer.status).toBe(200);
    expect(answer.body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      listed.map(({ id }) => id).toSorted(),
    );
  }
}

const TAGS = ["berlin", "sales", "vip"];

const setRouting = fc
  .tuple(which, wish, fc.constantFrom("none" as const, "none" as const, "right" as const, "wrong" as const))
  .map(([at, wanted, expected]) => new SetRouting(at, wanted, expected));

/** Changes come twice as often: the others need something to work on. */
const COMMANDS: fc.Arbitrary<Command>[] = [
  setRouting,
  setRouting,
  fc.tuple(which, fc.nat({ max: 2 })).map(([at, back]) => new RollBack(at, back)),
  fc
    .tuple(which, fc.option(fc.constantFrom("Front desk", "Fax")), fc.subarray(TAGS))
    .map(([at, label, tags]) => new Describe(at, label, tags)),
  which.map((at) => new SuspendOrResume(at)),
  which.map((at) => new CreateConnection(at)),
  which.map((at) => new DeleteConnection(at)),
  which.map((at) => new Look(at)),
  fc
    .oneof(
      fc.record({ tag: fc.constantFrom(...TAGS) }),
      fc.record({ mode: fc.constantFrom("unrouted", "sip_uri", "forward", "connection") }),
      fc.record({ mode: fc.constantFrom("unrouted", "sip_uri"), tag: fc.constantFrom(...TAGS) }),
      fc.record({ mode: fc.constant("unrouted"), status: fc.constantFrom("active", "suspended") }),
    )
    .map((filters) => new List(filters)),
];

function isEqual(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
