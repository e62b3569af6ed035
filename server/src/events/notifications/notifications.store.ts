import type { Environment, Tx } from "../../platform/db/database.ts";
import type { Rules } from "./notifications.rules.ts";

/** The organisation and environment of rules, or the installation of the operator. */
export interface RulesOwner {
  organisation_id: string | null;
  environment: Environment | null;
}

const OWNED = "organisation_id is not distinct from $1 and environment is not distinct from $2";

export async function findRules(tx: Tx, { organisation_id, environment }: RulesOwner): Promise<Rules> {
  const [row] = await tx.query<{ rules: Rules }>(`select rules from notification_rules where ${OWNED}`, [
    organisation_id,
    environment,
  ]);
  return row?.rules ?? {};
}

/** Waits for a sweep of the same rules, so that it does not notify by the old ones afterwards. */
export async function lockRules(tx: Tx, { organisation_id, environment }: RulesOwner): Promise<Rules> {
  const [row] = await tx.query<{ rules: Rules }>(
    `select rules from notification_rules where ${OWNED} for update`,
    [organisation_id, environment],
  );
  return row?.rules ?? {};
}

/** Also forgets problems of kinds that have no rule any longer. */
export async function setRules(
  tx: Tx,
  { organisation_id, environment }: RulesOwner,
  rules: Rules,
  at: Date,
): Promise<void> {
  const owner = [organisation_id, environment];
  if (Object.keys(rules).length === 0) await tx.query(`delete from notification_rules where ${OWNED}`, owner);
  else
    await tx.query(
      `insert into notification_rules (organisation_id, environment, rules, next_sweep_at) values ($1, $2, $3, $4)
       on conflict (organisation_id, environment) do update set rules = excluded.rules`,
      [...owner, rules, at],
    );
  await tx.query(`delete from problems where ${OWNED} and ended_at is null and kind <> all ($3)`, [
    ...owner,
    Object.keys(rules),
  ]);
}

export interface Recipient {
  id: string;
  email: string;
}

const RECIPIENTS = (which: string): string =>
  `select u.id, u.email from users u where u.disabled_at is null and ${which} order by u.email`;
const MEMBERS = "exists (select from memberships m where m.organisation_id = $1 and m.user_id = u.id)";

/** Members with these IDs, or operators. */
export async function listRecipients(
  tx: Tx,
  { organisation_id }: RulesOwner,
  ids: readonly string[],
): Promise<Recipient[]> {
  return organisation_id === null
    ? tx.query<Recipient>(RECIPIENTS("u.is_operator and u.id = any ($1)"), [ids])
    : tx.query<Recipient>(RECIPIENTS(`${MEMBERS} and u.id = any ($2)`), [organisation_id, ids]);
}

/** Members with these addresses, or operators. */
export async function findRecipients(
  tx: Tx,
  { organisation_id }: RulesOwner,
  emails: readonly string[],
): Promise<Recipient[]> {
  return organisation_id === null
    ? tx.query<Recipient>(RECIPIENTS("u.is_operator and u.email = any ($1)"), [emails])
    : tx.query<Recipient>(RECIPIENTS(`${MEMBERS} and u.email = any ($2)`), [organisation_id, emails]);
}
