import type { App } from "../../../app.ts";
import type { Author } from "../../../events/audit/audit.ts";
import { addRootKeys, listRootKeys, retireRootKey } from "../../../people/root-keys/root-keys.rotation.ts";

const needs = (app: App) => ({ ...app, master: app.config.masterSecrets });

/** The new key is used at once. */
export async function addCellKey(app: App, author: Author): Promise<number> {
  return (await addRootKeys(needs(app), author, ["cell"], 0))[0]!;
}

/** Carriers whose credentials a key has sealed. */
export async function countCarriers(app: App, root: number): Promise<number> {
  return (await listRootKeys(app)).find(({ id }) => id === root)!.remaining.carriers;
}

/** Seals everything again that depends on the key. */
export async function retireCellKey(app: App, author: Author, root: number): Promise<void> {
  await retireRootKey(needs(app), author, root, { settledSeconds: 0 });
}
