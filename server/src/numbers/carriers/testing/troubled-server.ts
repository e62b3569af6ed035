import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Fault of one request to an imitation of a company. `…_after`: the request has taken effect. */
export type Trouble =
  | "500_after"
  | "hang_after"
  | "hang_before"
  | "cut_after"
  | "malformed_after"
  | "oversized_after"
  /** The beginning of a response that never ends. */
  | "drip_after"
  | "redirect"
  /** Slow: it is done and answered only then. */
  | { until: Promise<void> };

export interface TroubledServer<Special> extends AsyncDisposable {
  /** Without the version. */
  url: string;
  /** Method and path of every request, below the version. */
  requests: string[];
  /** The next request of that method and path, such as "POST /number_orders", meets trouble. */
  trouble(route: string, trouble: Trouble | Special): void;
  /** Every request meets trouble, each route its own, until there is none any longer. */
  outage(troubleOf: ((route: string) => Trouble | Special) | undefined): void;
}

export interface ServedResponse {
  status: number;
  /** Undefined: no body. */
  body: unknown;
  headers?: Record<string, string>;
}

export interface ServedRequest<Special> {
  request: IncomingMessage;
  query: URLSearchParams;
  /** "GET /v2/number_orders/1" is "GET /number_orders/{id}". Empty for another version. */
  route: string;
  /** The value of {id} in the path. */
  id: string;
  trouble: Trouble | Special | undefined;
}

interface Imitation<Special> {
  version: string;
  mediaType: string;
  /** Body of a response with status 500. */
  failure: unknown;
  respond(request: ServedRequest<Special>): Promise<ServedResponse>;
}

/** An imitation of a company on this machine, with scripted faults. */
export async function startTroubledServer<Special>({
  version,
  mediaType,
  failure,
  respond,
}: Imitation<Special>): Promise<TroubledServer<Special>> {
  const requests: string[] = [];
  const troubles: { route: string; trouble: Trouble | Special }[] = [];
  let troubleOf: ((route: string) => Trouble | Special) | undefined;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(request.url!, "http://localhost");
    const { route, id } = routeOf(request.method!, pathname, version);
    requests.push(`${request.method} ${pathname.replace(`/${version}/`, "/")}`);
    const at = troubles.findIndex((one) => one.route === route);
    const trouble = at === -1 ? troubleOf?.(route) : troubles.splice(at, 1)[0]!.trouble;
    if (trouble === "hang_before") return;
    if (trouble === "redirect")
      return void response.writeHead(307, { location: `${pathname}/elsewhere` }).end();
    if (isSlow(trouble)) await trouble.until;
    const served = await respond({ request, query, route, id, trouble });
    request.resume();
    send(response, { mediaType, failure, ...served }, trouble);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    requests,
    trouble: (route, trouble) => void troubles.push({ route, trouble }),
    outage: (given) => void (troubleOf = given),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function isSlow(trouble: unknown): trouble is { until: Promise<void> } {
  return typeof trouble === "object" && trouble !== null && "until" in trouble;
}

function routeOf(method: string, path: string, wanted: string): { route: string; id: string } {
  const [, version, noun = "", id = "", ...rest] = path.split("/").map(decodeURIComponent);
  const place = ["", noun, ...(id === "" ? [] : ["{id}"]), ...rest].join("/");
  return { route: version === wanted ? `${method} ${place}` : "", id };
}

const TWO_MEBIBYTES = 2 * 1024 * 1024;

function send(
  response: ServerResponse,
  { status, body, headers, mediaType, failure }: ServedResponse & { mediaType: string; failure: unknown },
  trouble: unknown,
): void {
  const say = (code: number, text: string): void =>
    void response.writeHead(code, { "content-type": mediaType, ...headers }).end(text);
  switch (trouble) {
    case "hang_after":
      return;
    case "drip_after":
      return drip(response, mediaType);
    case "cut_after":
      return void response.destroy();
    case "500_after":
      return say(500, JSON.stringify(failure));
    case "malformed_after":
      return say(200, '{"data":{"id":7}}');
    case "oversized_after":
      return say(200, `${JSON.stringify(body).slice(0, -1)},"padding":"${"x".repeat(TWO_MEBIBYTES)}"}`);
    default:
      return body === undefined
        ? void response.writeHead(status, headers).end()
        : say(status, JSON.stringify(body));
  }
}

/** JSON may begin with as much white space as it likes. */
function drip(response: ServerResponse, mediaType: string): void {
  response.writeHead(200, { "content-type": mediaType }).write(" ");
  const dripping = setInterval(() => response.write(" "), 500);
  response.once("close", () => clearInterval(dripping));
}
