import { type Client, createClient } from "@dialplane/sdk";
import { until } from "../sip/until.ts";
import { type Customer, signUp } from "./customer.ts";
import { type RunningService, startService } from "./running-service.ts";

export interface SdkWrites {
  writes: number;
  kills: number;
  /** Requests sent for those writes. */
  requests: number;
  /** Replayed responses to requests whose first response was lost. */
  replays: number;
  /** Writes that are there not once, but never or more often. */
  notOnce: Record<string, number>;
}

const WRITERS = 8;
const NUMBER = "+4930901820";
/** One organisation writes as fast as it can. */
const NO_LIMITS = {
  LIMIT_REQUESTS_PER_SECOND: "100000",
  LIMIT_REQUEST_BURST: "100000",
  LIMIT_WRITES_PER_SECOND: "100000",
  LIMIT_FLOOD_PER_SECOND: "100000",
  LIMIT_ORDERS_PER_SECOND: "100000",
  LIMIT_ORDERED_NUMBERS_PER_DAY: "100000",
};

/**
 * Orders, invitations and routings, each a single call of the SDK, while API and worker are killed
 * repeatedly. Each kill has its share of the writes, so none comes after the last.
 */
export async function writeWhileKilling(plan: { writes: number; kills: number }): Promise<SdkWrites> {
  await using service = await startService({ more: NO_LIMITS });
  const customer = await signUp(service, NUMBER);
  const counted = { requests: 0, replays: 0 };
  const clients = clientsOf(service, customer, () => counted.requests++);
  const progress = { begun: 0, allowed: 0 };

  const writer = async (): Promise<void> => {
    while (progress.begun < plan.writes) {
      if (progress.begun >= progress.allowed) {
        await until(
          "the next kill",
          () => progress.begun < progress.allowed || progress.begun >= plan.writes,
          600_000,
        );
        continue;
      }
      const { wasReplayed } = await write(clients, customer, progress.begun++);
      if (wasReplayed) counted.replays++;
    }
  };
  const killer = async (): Promise<number> => {
    const share = plan.writes / plan.kills;
    for (let nth = 0; nth < plan.kills; nth++) {
      progress.allowed = Math.round((nth + 1) * share);
      const moment = Math.floor((nth + Math.random()) * share);
      await until("the moment", () => progress.begun > moment, 600_000);
      await service.killServer();
      service.startServer();
      await service.ready();
    }
    return plan.kills;
  };
  const [kills] = await Promise.all([killer(), ...Array.from({ length: WRITERS }, writer)]);
  const notOnce = await findNotOnce(clients, customer, plan.writes);
  return { writes: plan.writes, kills, ...counted, notOnce };
}

interface Clients {
  /** With the key: routing. */
  program: Client;
  /** With the session: what is closed to keys. */
  person: Client;
}

function clientsOf(
  { url }: RunningService,
  { credentials: { key, cookie } }: Customer,
  onRequest: () => void,
): Clients {
  // A machine that does many other things may take a minute to start the service.
  const patient = { baseUrl: url, timeoutMs: 300_000, maxRetries: 100, onAttempt: onRequest };
  const asBrowser: typeof fetch = (address, init) => {
    const headers = new Headers(init?.headers);
    headers.set("cookie", cookie);
    headers.set("sec-fetch-site", "same-origin");
    return fetch(address, { ...init, headers });
  };
  return {
    program: createClient({ ...patient, credential: key }),
    person: createClient({ ...patient, fetch: asBrowser, environment: "test" }),
  };
}

/** Unique name of the nth write. */
const nameOf = (nth: number): string => `${KINDS[nth % KINDS.length]!}-${nth}`;
const KINDS = ["order", "invitation", "routing"] as const;

function write(
  { program, person }: Clients,
  { numberId }: Customer,
  nth: number,
): Promise<{ wasReplayed: boolean }> {
  const name = nameOf(nth);
  switch (KINDS[nth % KINDS.length]!) {
    case "order":
      return person.orders
        .place({ criteria: { country: "US" }, quantity: 1, external_ref: name })
        .withResponse();
    case "invitation":
      return person.invitations.invite({ email: `${name}@example.com`, role: "member" }).withResponse();
    case "routing":
      return program.routing
        .set(numberId, { mode: "sip_uri", sip_uri: `sip:${name}@127.0.0.1` })
        .withResponse();
  }
}

async function findNotOnce(
  { program, person }: Clients,
  { numberId }: Customer,
  writes: number,
): Promise<Record<string, number>> {
  const times = new Map(Array.from({ length: writes }, (_, nth) => [nameOf(nth), 0]));
  const found = (name: string | null | undefined): void => {
    if (name) times.set(name, (times.get(name) ?? 0) + 1);
  };
  for await (const { external_ref } of person.orders.list({ limit: 1000 })) found(external_ref);
  for await (const { email } of person.invitations.list({ limit: 1000 })) found(email.split("@")[0]);
  for await (const { desired } of program.routing.listRevisions(numberId, { limit: 1000 }))
    found(desired.sip_uri?.slice("sip:".length).split("@")[0]);
  return Object.fromEntries([...times].filter(([, count]) => count !== 1));
}
