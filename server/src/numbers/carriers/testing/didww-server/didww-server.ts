import { randomUUID } from "node:crypto";
import { type ServedResponse, startTroubledServer, type TroubledServer } from "../troubled-server.ts";
import { DidwwAccount, type DidwwStock } from "./didww-account.ts";
import type { Did, Trunk } from "./didww-records.ts";
import { DidwwError } from "./didww-errors.ts";
import type { DidwwPlan } from "./didww-plan.ts";
import type { DidwwRegulation } from "./didww-regulation.ts";
import { checkHeaders, MEDIA_TYPE } from "./didww-request.ts";
import { ROUTES } from "./didww-routes.ts";

type Special =
  /** A list that does not know yet what is new. */
  | "lagging"
  /** The order is accepted and canceled. */
  | "canceled"
  /** The number is bought, and blocked until it is registered. */
  | "awaiting_registration"
  | { status: number; code: string; detail?: string; retryAfter?: number };

export interface DidwwServer extends TroubledServer<Special> {
  apiKey: string;
  /** Every number the account has or had. */
  owned: readonly Did[];
  stock(numbers: readonly (Pick<DidwwStock, "e164"> & Partial<DidwwStock>)[]): void;
  sellElsewhere(e164: string): void;
  /** Adds an inbound trunk, and returns its ID. */
  trunk(name: string, configuration?: Trunk["configuration"]): string;
  /** Sends the calls of a number elsewhere, as in the user panel. */
  deliver(e164: string, trunkId: string | null): void;
  /** Reserves a number, as in the user panel. */
  hold(e164: string, description: string | null): void;
  setBalance(balance: number): void;
  /** The identities, addresses, proofs and verifications of the account. */
  regulation: DidwwRegulation;
}

export interface DidwwServerOptions extends Partial<DidwwPlan> {
  now?: () => Date;
  /** Requests that one key may send within a second (default: no limit). DIDWW documents 20. */
  requestsPerSecond?: number;
}

const MINUTE_MS = 60_000;

/**
 * The parts of DIDWW's API for numbers that its documentation describes, on this machine. It rejects everything that
 * is not documented. It was never compared with the company's server.
 */
export async function startDidwwServer({
  now = () => new Date(),
  requestsPerSecond = Number.POSITIVE_INFINITY,
  holdMs = 10 * MINUTE_MS,
  mostHeld = 10,
  pendingReads = 0,
  isRemovedAtOnce = false,
  listsHeld = false,
  mostListed = 200,
}: DidwwServerOptions = {}): Promise<DidwwServer> {
  const apiKey = randomUUID().replaceAll("-", "").toUpperCase();
  const account = new DidwwAccount(now, {
    holdMs,
    mostHeld,
    pendingReads,
    isRemovedAtOnce,
    listsHeld,
    mostListed,
  });
  const limit = openLimit(requestsPerSecond);
  const server = await startTroubledServer<Special>({
    version: "v3",
    mediaType: MEDIA_TYPE,
    failure: new DidwwError(500, "500", "Internal Server Error").toBody(),
    respond: ({ request, query, route, id, trouble }) =>
      answer(trouble, async () => {
        checkHeaders(request, { apiKey, isUpload: route === "POST /encrypted_files" });
        if (limit()) throw new DidwwError(429, "429", "Too many requests.");
        if (isError(trouble))
          throw new DidwwError(trouble.status, trouble.code, trouble.detail ?? "As it is.");
        const serve = ROUTES[route];
        if (!serve) throw new DidwwError(404, "404", "The requested address does not exist.");
        const isQuery = request.method === "GET";
        if (!isQuery && query.size > 0) throw new DidwwError(400, "105", "A query is not allowed.");
        const fate = trouble === "canceled" || trouble === "awaiting_registration" ? trouble : undefined;
        return serve({ request, query, id, account, fate, isLagging: trouble === "lagging" });
      }),
  });
  return { ...server, apiKey, ...handlesOf(account) };
}

type Handles = Omit<DidwwServer, keyof TroubledServer<Special> | "apiKey">;

/** Changes by other customers, and by hand in the user panel. */
function handlesOf(account: DidwwAccount): Handles {
  const current = (e164: string) => account.dids.findLast(({ number }) => number === e164.slice(1))!;
  const usual = { country: "US", type: "Local", requirement: null, isSelectable: true };
  return {
    owned: account.everOwned,
    stock: (numbers) => account.stock(numbers.map((one) => ({ ...usual, ...one }))),
    sellElsewhere: (e164) => account.sellElsewhere(e164),
    trunk: (name, configuration) => account.trunk(name, configuration).id,
    deliver: (e164, trunkId) =>
      void (current(e164).trunk = account.trunks.find(({ id }) => id === trunkId) ?? null),
    hold(e164, description) {
      const available = account.available.find(({ number }) => number === e164.slice(1))!;
      account.hold(available.id, description);
    },
    regulation: account.regulation,
    setBalance: (balance) => void (account.balance = balance),
  };
}

function isError(trouble: unknown): trouble is Extract<Special, object> {
  return typeof trouble === "object" && trouble !== null && "code" in trouble;
}

async function answer(trouble: unknown, work: () => Promise<ServedResponse>): Promise<ServedResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DidwwError)) throw error;
    const wait = isError(trouble) ? trouble.retryAfter : undefined;
    return {
      status: error.status,
      body: error.toBody(),
      ...(wait !== undefined && { headers: { "retry-after": String(wait) } }),
    };
  }
}

/** Whether a request is one too many within the last second. */
function openLimit(perSecond: number): () => boolean {
  let recent: number[] = [];
  return () => {
    const now = performance.now();
    recent = recent.filter((at) => now - at < 1_000);
    if (recent.length >= perSecond) return true;
    recent.push(now);
    return false;
  };
}
