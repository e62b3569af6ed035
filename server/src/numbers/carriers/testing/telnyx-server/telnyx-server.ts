import { randomUUID } from "node:crypto";
import { type ServedResponse, startTroubledServer, type TroubledServer } from "../troubled-server.ts";
import { TelnyxAccount, type TelnyxOwned, type TelnyxStock } from "./telnyx-account.ts";
import { pageOf } from "./telnyx-answers.ts";
import { type TelnyxCode, TelnyxError } from "./telnyx-errors.ts";
import { checkKey, readQuery } from "./telnyx-request.ts";
import { ROUTES } from "./telnyx-routes.ts";

type Special =
  /** A list that does not know yet what is new. */
  "lagging" | "sold_meanwhile" | "partial" | { status: number; code: TelnyxCode };

export interface TelnyxServer extends TroubledServer<Special> {
  apiKey: string;
  /** Every number the account has or had. */
  owned: readonly TelnyxOwned[];
  stock(numbers: readonly (Pick<TelnyxStock, "e164"> & Partial<TelnyxStock>)[]): void;
  sellElsewhere(e164: string): void;
  /** Adds a connection, which is a trunk, and returns its ID. */
  connection(name: string, active?: boolean): string;
  /** Connects a number by hand, as in the portal. */
  connect(e164: string, connectionId: string | null): void;
}

export interface TelnyxServerOptions {
  now?: () => Date;
  /** How often an order is read before it is decided. */
  pendingReads?: number;
  /** The same of a reservation. */
  reservationReads?: number;
}

/** Telnyx's API for numbers as its documentation has it, on this machine; it takes nothing that is not documented. */
export async function startTelnyxServer({
  now = () => new Date(),
  pendingReads = 0,
  reservationReads = 0,
}: TelnyxServerOptions = {}): Promise<TelnyxServer> {
  const apiKey = `KEY${randomUUID().replaceAll("-", "").toUpperCase()}`;
  const account = new TelnyxAccount(now);
  const server = await startTroubledServer<Special>({
    version: "v2",
    mediaType: "application/json",
    failure: new TelnyxError(500, "10007", "An unexpected error occured.").toBody(),
    respond: ({ request, query, route: name, id, trouble }) =>
      answer(async () => {
        checkKey(request, apiKey);
        if (typeof trouble === "object" && "code" in trouble)
          throw new TelnyxError(trouble.status, trouble.code, "As it happens.");
        const route = ROUTES[name];
        if (!route) throw new TelnyxError(404, "10005", "The requested resource or URL could not be found.");
        if (request.method !== "GET" || id !== "") readQuery(query, {});
        if (trouble === "lagging") return pageOf([], new Map());
        const fate = trouble === "partial" || trouble === "sold_meanwhile" ? trouble : undefined;
        return route({ request, query, id, account, pendingReads, reservationReads, fate });
      }),
  });
  return {
    ...server,
    apiKey,
    owned: account.owned,
    stock: (numbers) =>
      account.stock(numbers.map((one) => ({ country: "US", type: "local", reservable: true, ...one }))),
    sellElsewhere: (e164) => account.sellElsewhere(e164),
    connection: (name, active) => account.connection(name, active).id,
    connect(e164, connectionId) {
      account.owned.find((one) => one.e164 === e164 && one.status === "active")!.connectionId = connectionId;
    },
  };
}

async function answer(work: () => Promise<unknown>): Promise<ServedResponse> {
  try {
    return { status: 200, body: await work() };
  } catch (error) {
    if (!(error instanceof TelnyxError)) throw error;
    return { status: error.status, body: error.toBody() };
  }
}
