import { systemAuthor } from "../../../events/audit/audit.ts";
import { addRootKeys } from "../../../people/root-keys/root-keys.rotation.ts";
import { type Service, until } from "../../../../testing/service.ts";

/** Used at once; the service has read it when this ends. */
export async function newCellKey({ app }: Pick<Service, "app">): Promise<void> {
  const needs = { ...app, master: app.config.masterSecrets };
  const [added] = await addRootKeys(needs, systemAuthor("test"), ["cell"], 0);
  await until(() => app.secrets.current("switch-credential").rootId === added || undefined);
}
