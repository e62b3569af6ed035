import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { TelnyxAccount, type TelnyxOwned, type TelnyxStock } from "./telnyx-account.ts";
import { pageOf } from "./telnyx-answers.ts";
import { type TelnyxCode, TelnyxError } from "./telnyx-errors.ts";
import { checkKey, readQuery } from "./telnyx-request.ts";
import { ROUTES } from "./telnyx-routes.ts";

/** Fault of one request. `…_after`: the request has taken effect. */
export type TelnyxTrouble =
  | "500_after"
  | "hang_after"
  | "hang_before"
  | "cut_after"
  | "malformed_after"
  | "oversized_after"
  /** The beginning of a response that never ends. */
  | "drip_after"
  | "redirect"
  /** A list that does not know yet what is new. */
  | "lagging"
  | "sold_meanwhile"
  | "partial"
  | { status: number; code: TelnyxCode }
  /** Slow: it is done and answered only then. */
  | { until: Promise<void> };

export interface TelnyxServer extends AsyncDisposable {
  /** Without the version. */
  url: string;
  apiKey: string;
  /** Method and path of every request, below /v2. */
  requests: string[];
  /** Every number the account has or had. */
  owned: readonly TelnyxOwned[];
  stock(numbers: readonly (Pick<TelnyxStock, "e164"> & Partial<TelnyxStock>)[]): void;
  sellElsewhere(e164: string): void;
  /** Adds a connection, which is a trunk, and returns its ID. */
  connection(name: string, active?: boolean): string;
  /** Connects a number by hand, as in the portal. */
  connect(e164: string, connectionId: string | null): void;
  /** The next request of that method and path, such as "POST /number_orders", meets trouble. */
  trouble(route: string, trouble: TelnyxTrouble): void;
  /** Every request meets trouble, each route its own, until there is none any longer. */
  outage(troubleOf: ((route: string) => TelnyxTrouble) | undefined): void;
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
  const requests: string[] = [];
  const troubles: { route: string; trouble: TelnyxTrouble }[] = [];
  let troubleOf: ((route: string) => TelnyxTrouble) | undefined;

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(request.url!, "http://localhost");
    const { name, id } = routeOf(request.method!, pathname);
    requests.push(`${request.method} ${pathname.replace(/^\/v2/, "")}`);
    const at = troubles.findIndex(({ route }) => route === name);
    const trouble = at === -1 ? troubleOf?.(name) : troubles.splice(at, 1)[0]!.trouble;
    if (trouble === "hang_before") return;
    if (trouble === "redirect")
      return void response.writeHead(307, { location: `${pathname}/elsewhere` }).end();
    if (typeof trouble === "object" && "until" in trouble) await trouble.until;
    const { status, body } = await answer(request, async () => {
      checkKey(request, apiKey);
      if (typeof trouble === "object" && "code" in trouble)
        throw new TelnyxError(trouble.status, trouble.code, "As it happens.");
      const route = ROUTES[name];
      if (!route) throw new TelnyxError(404, "10005", "The requested resource or URL could not be found.");
      if (request.method !== "GET" || id !== "") readQuery(query, {});
      if (trouble === "lagging") return pageOf([], new Map());
      const fate = trouble === "partial" || trouble === "sold_meanwhile" ? trouble : undefined;
      return route({ request, query, id, account, pendingReads, reservationReads, fate });
    });
    send(response, { status, body: JSON.stringify(body) }, trouble);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.destroy(error as Error));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    apiKey,
    requests,
    owned: account.owned,
    stock: (numbers) =>
      account.stock(numbers.map((one) => ({ country: "US", type: "local", reservable: true, ...one }))),
    sellElsewhere: (e164) => account.sellElsewhere(e164),
    connection: (name, active) => account.connection(name, active).id,
    connect(e164, connectionId) {
      account.owned.find((one) => one.e164 === e164 && one.status === "active")!.connectionId = connectionId;
    },
    trouble: (route, trouble) => void troubles.push({ route, trouble }),
    outage: (given) => void (troubleOf = given),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function answer(
  request: IncomingMessage,
  work: () => Promise<unknown>,
): Promise<{ status: number; body: unknown }> {
  try {
    return { status: 200, body: await work() };
  } catch (error) {
    if (!(error instanceof TelnyxError)) throw error;
    request.resume();
    return { status: error.status, body: error.toBody() };
  }
}

/** "GET /v2/number_orders/1" is "GET /number_orders/{id}". */
function routeOf(method: string, path: string): { name: string; id: string } {
  const [, version, noun = "", id = "", ...rest] = path.split("/").map(decodeURIComponent);
  const place = ["", noun, ...(id === "" ? [] : ["{id}"]), ...rest].join("/");
  return { name: version === "v2" ? `${method} ${place}` : "", id };
}

const TWO_MEBIBYTES = 2 * 1024 * 1024;

function send(
  response: ServerResponse,
  { status, body }: { status: number; body: string },
  trouble: TelnyxTrouble | undefined,
): void {
  const say = (code: number, text: string): void =>
    void response.writeHead(code, { "content-type": "application/json" }).end(text);
  switch (trouble) {
    case "hang_after":
      return;
    case "drip_after":
      return drip(response);
    case "cut_after":
      return void response.destroy();
    case "500_after":
      return say(500, JSON.stringify(new TelnyxError(500, "10007", "An unexpected error occured.").toBody()));
    case "malformed_after":
      return say(200, '{"data":{"id":7}}');
    case "oversized_after":
      return say(200, `${body.slice(0, -1)},"padding":"${"x".repeat(TWO_MEBIBYTES)}"}`);
    default:
      return say(status, body);
  }
}

/** JSON may begin with as much white space as it likes. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).write(" ");
  const dripping = setInterval(() => response.write(" "), 500);
  response.once("close", () => clearInterval(dripping));
}
