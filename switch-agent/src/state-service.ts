import { sendToService, type ServiceAddress } from "./service-request.ts";

export interface AnnouncedState {
  epoch: string;
  saved_at: string;
  items: number;
  /** Epoch of the restore that began when it was saved. */
  hold?: string;
}

export interface UploadedItem {
  kind: "route" | "connection";
  id: string;
  shard: number;
  version: number;
  generation: number;
  organisation_id?: string;
  value: object;
}

/** Receiver of saved states. */
export interface StateService {
  /** Returns the epochs of those to upload. */
  announce(states: AnnouncedState[]): Promise<string[]>;
  /** Resolves once the part is committed. */
  upload(epoch: string, part: { items: UploadedItem[]; is_last: boolean }): Promise<void>;
}

/** The service over HTTP, with the switch's credential. */
export function httpStateService(where: ServiceAddress): StateService {
  const path = "/switch/v1/saved-states";
  return {
    announce: async (states) =>
      ((await sendToService(where, "PUT", path, { states })) as { requested: string[] }).requested,
    upload: async (epoch, part) => void (await sendToService(where, "POST", `${path}/${epoch}/parts`, part)),
  };
}
