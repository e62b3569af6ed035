import type { Service } from "../../../../testing/service.ts";
import { until } from "../../../../testing/service.ts";
import { systemAuthor } from "../../../events/audit/audit.ts";
import { addRootKeys, listRootKeys, retireRootKey } from "../../../people/root-keys/root-keys.rotation.ts";

const AUTHOR = systemAuthor("test");

/** Puts a new root key in place of the one that seals passwords. */
export async function replaceCellRoot({ app }: Service): Promise<{
  /** Revisions that the earlier key still seals. */
  sealedBefore(): Promise<number>;
  retire(): Promise<unknown>;
}> {
  const before = app.secrets.current("trunk-passwords").rootId;
  const needs = { ...app, master: app.config.masterSecrets };
  const [cell] = await addRootKeys(needs, AUTHOR, ["cell"], 0);
  await until(() => app.secrets.current("trunk-passwords").rootId === cell);
  return {
    async sealedBefore() {
      const roots = await listRootKeys(app);
      return roots.find(({ id }) => id === before)!.remaining.trunk_revisions;
    },
    retire: () => retireRootKey(needs, AUTHOR, before, { settledSeconds: 0 }),
  };
}
