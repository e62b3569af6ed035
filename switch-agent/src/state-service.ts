import { ControlPlaneError, NO_CODE } from "./control-plane-error.ts";

export interface AnnouncedState {
  epoch: string;
  saved_at: string;
  items: number;
}

export interface UploadedItem {
  kind: "route" | "connection";
  id: string;
  shard: number;
  version: number;
  generation: number;
  value: object;
}

/** Receiver of saved states. */
export interface StateService {
  /** Returns the epochs of those to upload. */
  announce(states: AnnouncedState[]): Promise<string[]>;
  /** Resolves once the part is committed. */
  upload(epoch: string, part: { items: UploadedItem[]; is_last: boolean }): Promise<void>;
}

const TIMEOUT_MS = 20_000;

/** The service over HTTP, with the switch's credential. */
export function httpStateService({ url, credential }: { url: string; credential: string }): StateService {
  const base = `${url.replace(/\/+$/, "")}/switch/v1/saved-states`;
  const send = async (method: "POST" | "PUT", path: string, body: unknown): Promise<Response> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "error",
    });
    if (response.ok) return response;
    const said = (await response.json().catch(() => ({}))) as { code?: string; detail?: string };
    throw new ControlPlaneError(response.status, said.code ?? NO_CODE, said.detail ?? "");
  };
  return {
    async announce(states) {
      const response = await send("PUT", "", { states });
      return ((await response.json()) as { requested: string[] }).requested;
    },
    async upload(epoch, part) {
      await send("POST", `/${epoch}/parts`, part);
    },
  };
}
