import { ControlPlaneError, NO_CODE } from "./control-plane-error.ts";

export interface ServiceAddress {
  url: string;
  /** The switch's credential. */
  credential: string;
}

const TIMEOUT_MS = 20_000;

/** Sends a request to the service over HTTP. Returns the body of the response, or undefined if it has none. */
export async function sendToService(
  { url, credential }: ServiceAddress,
  method: "POST" | "PUT",
  path: string,
  body: unknown,
): Promise<unknown> {
  const response = await fetch(`${url.replace(/\/+$/, "")}${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: "error",
  });
  const received: unknown = await response.json().catch(() => undefined);
  if (response.ok) return received;
  const { code = NO_CODE, detail = "" } = (received ?? {}) as { code?: string; detail?: string };
  throw new ControlPlaneError(response.status, code, detail);
}
