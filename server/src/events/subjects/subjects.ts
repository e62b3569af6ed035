import type { App } from "../../app.ts";
import type { OrganisationScope } from "../../platform/db/database.ts";
import { isId } from "../../platform/ids.ts";
import { recordedLabel, subjectTypeOf } from "./subjects.rules.ts";
import type { SubjectRef } from "./subjects.schema.ts";
import { findLabels, LABELLED } from "./subjects.store.ts";

export { SubjectRef } from "./subjects.schema.ts";

interface Affecting {
  action: string;
  subject: string | null;
  data: Record<string, unknown>;
}

/**
 * References to the subjects of actions or events, in their order. One look-up for all labels that are not recorded.
 * Without an organisation there are only recorded labels.
 */
export async function referToSubjects(
  { db }: Pick<App, "db">,
  scope: OrganisationScope | null,
  rows: readonly Affecting[],
): Promise<(SubjectRef | null)[]> {
  const references = rows.map(({ action, subject, data }): SubjectRef | null =>
    subject === null ? null : { type: subjectTypeOf(action), id: subject, label: recordedLabel(data) },
  );
  const unknown = new Map<string, { type: string; id: string }>();
  for (const one of references)
    if (one?.label === null && LABELLED.has(one.type) && isId(one.id))
      unknown.set(`${one.type}/${one.id}`, { type: one.type, id: one.id });
  if (unknown.size === 0 || !scope) return references;
  const labels = new Map<string, string | null>();
  for (const { type, id, label } of await findLabels(db, scope, [...unknown.values()]))
    labels.set(`${type}/${id}`, label);
  return references.map(
    (one) => one && { ...one, label: one.label ?? labels.get(`${one.type}/${one.id}`) ?? null },
  );
}
