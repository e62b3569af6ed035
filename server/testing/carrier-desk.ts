import type { Settings } from "../src/config.ts";
import { newId } from "../src/platform/ids.ts";
import { seedSession } from "../src/seed.ts";
import type { App } from "../src/app.ts";
import type { Sent } from "./send.ts";
import { bearer, type Person, type Service, startService, until } from "./service.ts";
import {
  startTelnyxServer,
  type TelnyxServer,
} from "../src/numbers/carriers/testing/telnyx-server/telnyx-server.ts";

/** The service with a worker, an operator who orders too, and two accounts at Telnyx. */
export interface CarrierDesk extends AsyncDisposable {
  service: Service;
  organisation: string;
  owner: Person;
  /** Sells numbers in the US. */
  us: TelnyxServer;
  /** Sells numbers in the United Kingdom. */
  gb: TelnyxServer;
  call(method: string, path: string, body?: unknown): Promise<Sent>;
  /** Connects an account, and returns the carrier. */
  connect(name: string, server: ConnectedServer, settings?: object): Promise<Sent["body"]>;
  /** Adds numbers for sale and returns them. */
  stock(where: "us" | "gb", count: number): string[];
  order(body: unknown): Promise<Sent>;
  /** Places an order and waits for its end. */
  ended(body: unknown): Promise<Sent["body"]>;
}

/** An account at Telnyx, unless the settings name another kind. */
interface ConnectedServer {
  url: string;
  apiKey: string;
}

const BEGINNINGS = {
  us: { start: 12_012_000_000, country: "US" },
  gb: { start: 442_071_000_000, country: "GB" },
};

export async function openCarrierDesk(
  settings: Settings = {},
  overrides: Partial<App> = {},
): Promise<CarrierDesk> {
  const stack = new AsyncDisposableStack();
  const us = stack.use(await startTelnyxServer());
  const gb = stack.use(await startTelnyxServer());
  const service = stack.use(await startService({ worker: true, settings, overrides }));
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });
  await service.database.admin("update users set is_operator = true where id = $1", [owner.userId]);
  /** A new session each time: operators must have entered their password in the last ten minutes. */
  const headers = async () => ({
    ...bearer(await seedSession(service.app, owner, "tool")),
    "idempotency-key": newId(),
  });
  let stocked = 0;

  const desk: CarrierDesk = {
    service,
    organisation,
    owner,
    us,
    gb,
    call: async (method, path, body) => service.send(method, path, { headers: await headers(), body }),
    async connect(name, server, more = {}) {
      const answer = await desk.call("POST", "/operator/v1/carriers", {
        name,
        kind: "telnyx",
        url: server.url,
        credentials: { api_key: server.apiKey },
        ...more,
      });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.body;
    },
    stock(where, count) {
      const { start, country } = BEGINNINGS[where];
      const e164s = Array.from({ length: count }, () => `+${start + ++stocked}`);
      desk[where].stock(e164s.map((e164) => ({ e164, country })));
      return e164s;
    },
    order: (body) => desk.call("POST", "/v1/numbers/orders", body),
    async ended(body) {
      const placed = await desk.order(body);
      if (placed.status !== 202) throw new Error(placed.text);
      return until(async () => {
        const order = (await desk.call("GET", `/v1/numbers/orders/${placed.body.id}`)).body;
        return order.finished_at !== null && order;
      }, 30_000);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
  return desk;
}
