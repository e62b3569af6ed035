import type { App } from "../src/app.ts";
import type { Settings } from "../src/config.ts";
import { advanceOrderJob } from "../src/numbers/orders/orders.jobs.ts";
import { newId } from "../src/platform/ids.ts";
import { onlyCarrier, onlyInventory, type ScriptedCarrier, scriptedCarrier } from "./scripted-carrier.ts";
import type { Sent } from "./send.ts";
import { bearer, type Person, type Service, startService } from "./service.ts";

interface Placed {
  id: string;
  job_id: string;
}

/**
 * The service with a scripted carrier and a user who places orders. There is no worker: tests run the steps
 * themselves.
 */
export interface OrderDesk extends AsyncDisposable {
  service: Service;
  carrier: ScriptedCarrier;
  organisation: string;
  owner: Person;
  /** Adds new numbers for sale. */
  stock(count: number): string[];
  post(body: unknown, person?: { token: string }, headers?: Record<string, string>): Promise<Sent>;
  read(id: string, person?: { token: string }): Promise<Sent["body"]>;
  job(order: Placed): Promise<Sent["body"]>;
  /** Runs the next step of an order if it is due. */
  advance(order: Placed, app?: App): Promise<void>;
  /** Placed, and taken as far as it goes at once. */
  ordered(body: unknown): Promise<Sent["body"]>;
  /** When everything that waits is due again. */
  later(order: Placed): Promise<Sent["body"]>;
  /** As often as it takes, within reason. */
  finish(order: Placed): Promise<void>;
}

const PATH = "/v1/numbers/orders";
const MOST_TURNS = 8;

export async function openOrderDesk(settings: Settings = {}): Promise<OrderDesk> {
  const carrier = scriptedCarrier();
  const service = await startService({
    settings: { DATABASE_CONNECTIONS: "20", FORWARD_PREFIXES: "+44", ...settings },
    overrides: { carriers: onlyCarrier(carrier), inventory: onlyInventory(carrier.inventory) },
  });
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });
  let stocked = 0;

  const desk: OrderDesk = {
    service,
    carrier,
    organisation,
    owner,
    stock(count) {
      const e164s = Array.from({ length: count }, () => `+44207${9_000_000 + ++stocked}`);
      carrier.stock(...e164s);
      return e164s;
    },
    post: (body, { token } = owner, headers = {}) =>
      service.send("POST", PATH, {
        headers: { ...bearer(token), "idempotency-key": newId(), ...headers },
        body,
      }),
    read: async (id, { token } = owner) =>
      (await service.send("GET", `${PATH}/${id}`, { headers: bearer(token) })).body,
    job: async ({ job_id }) =>
      (await service.send("GET", `/v1/jobs/${job_id}`, { headers: bearer(owner.token) })).body,
    advance: ({ job_id }, app = service.app) => advanceOrderJob.run(app, { id: job_id }),
    async ordered(body) {
      const answer = await desk.post(body);
      if (answer.status !== 202) throw new Error(answer.text);
      await desk.advance(answer.body);
      return desk.read(answer.body.id);
    },
    async later(order) {
      service.clock.advance(61_000);
      await desk.advance(order);
      return desk.read(order.id);
    },
    async finish(order) {
      for (let turn = 0; turn < MOST_TURNS; turn++) {
        const open = "select from orders where id = $1 and finished_at is null";
        if ((await service.database.admin(open, [order.id])).length === 0) return;
        service.clock.advance(61_000);
        await desk.advance(order);
      }
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
  return desk;
}
