import { CarrierFault } from "./carrier.ts";

export interface CarrierResponse {
  status: number;
  /** Parsed JSON; undefined if the body is not JSON. */
  body: unknown;
  /** From the header Retry-After. Undefined if it is absent or is not a number of seconds. */
  retryAfterMs: number | undefined;
}

const MOST_BYTES = 1024 * 1024;

/** One request to a carrier, without redirects. Fails with a CarrierFault that says whether it can have had an effect. */
export async function fetchFromCarrier(
  carrier: string,
  address: URL,
  { method, headers, body, signal }: RequestInit & { method: string },
): Promise<CarrierResponse> {
  try {
    // Following a redirect would send the credentials to another server.
    const response = await fetch(address, {
      method,
      redirect: "manual",
      ...(headers && { headers }),
      ...(body && { body }),
      ...(signal && { signal }),
    });
    return {
      status: response.status,
      body: parse(await readAtMost(carrier, response)),
      retryAfterMs: waitOf(response.headers.get("retry-after")),
    };
  } catch (error) {
    if (error instanceof CarrierFault) throw error;
    throw new CarrierFault(
      wasNeverSent(error) ? "not_sent" : "unknown",
      `${carrier} did not respond to ${method} ${address.pathname}.`,
      { cause: error },
    );
  }
}

async function readAtMost(carrier: string, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > MOST_BYTES)
      throw new CarrierFault("unknown", `${carrier} responded with more than ${MOST_BYTES} bytes.`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString();
}

function waitOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,4}$/.test(header) ? Number(header) * 1_000 : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without a connection, no byte of the request was sent. A connection that breaks later is inconclusive. */
const NO_CONNECTION = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function wasNeverSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return NO_CONNECTION.has(cause?.code ?? "");
}
