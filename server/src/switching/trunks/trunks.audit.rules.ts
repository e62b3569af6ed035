import { canonicalJson, settingsOf, type TrunkDocument } from "./trunks.document.rules.ts";

type Side = Record<string, unknown>;

/** Settings of the trunks that differ, for the audit log. A trunk is `null` in the list that does not have it. */
export function changesBetween(before: TrunkDocument, after: TrunkDocument): { before: Side; after: Side } {
  const names = [...new Set([...before.trunks, ...after.trunks].map(({ name }) => name))];
  const changed = names.filter(
    (name) => canonicalJson(trunkOf(before, name)) !== canonicalJson(trunkOf(after, name)),
  );
  const isOtherForwarding = canonicalJson(before.forwarding) !== canonicalJson(after.forwarding);
  const partOf = (document: TrunkDocument): Side => ({
    trunks: Object.fromEntries(changed.map((name) => [name, trunkOf(document, name)])),
    ...(isOtherForwarding && { forwarding: document.forwarding }),
  });
  return { before: partOf(before), after: partOf(after) };
}

function trunkOf({ trunks }: TrunkDocument, name: string): object | null {
  const trunk = trunks.find((one) => one.name === name);
  return trunk ? settingsOf(trunk) : null;
}
