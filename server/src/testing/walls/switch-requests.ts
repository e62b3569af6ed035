import type { Report } from "@dialplane/switch-agent";
import type { Neighbours } from "./neighbours.ts";
import { makeSwitch } from "./switch-callers.ts";

export async function switchOf({ service }: Neighbours): Promise<{ id: string }> {
  return { id: (await makeSwitch(service)).id };
}

/** A sign of life under the present epoch. */
export async function reportOf({ service }: Neighbours): Promise<Report> {
  const [{ epoch } = { epoch: "" }] = await service.database.admin<{ epoch: string }>(
    "select epoch from feed_epoch",
  );
  return { epoch, boot: "boot", agent_version: "0.1.0", is_complete: false, shards: [] };
}
