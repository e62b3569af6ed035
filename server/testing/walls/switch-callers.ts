import { credentialOf } from "../../src/switching/switches/switches.credentials.ts";
import { newSwitchCredential } from "../../src/switching/switches/switches.ts";
import type { Environment } from "../../src/platform/db/database.ts";
import { newId } from "../../src/platform/ids.ts";
import type { Service } from "../service.ts";

export interface TestSwitch {
  id: string;
  groupId: string;
  credential: string;
}

interface SwitchWish {
  state?: "active" | "retired";
  environment?: Environment;
  /** Group other than the environment's default. */
  groupId?: string;
}

/** A switch as the operator would add it. */
export async function makeSwitch(
  { app, database }: Pick<Service, "app" | "database">,
  { state = "active", environment = "live", groupId }: SwitchWish = {},
): Promise<TestSwitch> {
  const id = newId();
  const credential = newSwitchCredential();
  const { mac, rootId } = credentialOf(app, credential);
  const [added] = await database.admin<{ group_id: string }>(
    `insert into switches (id, group_id, name, state, credential_mac, root_id, created_at)
     select $1, id, $2, $3, $4, $7, now() from switch_groups
     where case when $6::uuid is null then is_default and environment = $5 else id = $6 end returning group_id`,
    [id, `switch ${id.slice(-8)}`, state, mac, environment, groupId ?? null, rootId],
  );
  return { id, groupId: added!.group_id, credential };
}
