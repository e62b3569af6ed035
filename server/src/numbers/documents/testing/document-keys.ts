import { type Service, until } from "../../../../testing/service.ts";
import { systemAuthor } from "../../../events/audit/audit.ts";
import { addRootKeys, listRootKeys, retireRootKey } from "../../../people/root-keys/root-keys.rotation.ts";

const AUTHOR = systemAuthor("test");

/** Puts a new root key in place of the one that seals the keys of documents. */
export async function replaceFleetRoot({ app }: Service): Promise<{
  /** Documents that the earlier key still seals. */
  sealedBefore(): Promise<number>;
  retire(): Promise<unknown>;
}> {
  const before = app.secrets.current("document-keys").rootId;
  const needs = { ...app, master: app.config.masterSecrets };
  const [fleet] = await addRootKeys(needs, AUTHOR, ["fleet"], 0);
  await until(() => app.secrets.current("document-keys").rootId === fleet);
  return {
    async sealedBefore() {
      const roots = await listRootKeys(app);
      return roots.find(({ id }) => id === before)!.remaining.documents;
    },
    retire: () => retireRootKey(needs, AUTHOR, before, { settledSeconds: 0, isEndingRemaining: true }),
  };
}
