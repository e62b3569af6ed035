import type { App } from "../../app.ts";
import { ApiError } from "../../platform/api-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Actor, Origin, SessionCaller } from "../../platform/http/access.ts";
import { authorOf, operatorOf, recordAct } from "../audit/audit.ts";
import { recordChange } from "../events/events.ts";
import { listNotified, type ProblemRow } from "./notifications.problems.store.ts";
import {
  linkTo,
  type NotificationKind,
  OPERATOR_KINDS,
  ORGANISATION_KINDS,
  type Rules,
  withoutSilentRules,
} from "./notifications.rules.ts";
import type {
  Notifications,
  OperatorNotifications,
  SetNotifications,
  SetOperatorNotifications,
} from "./notifications.schema.ts";
import {
  findRecipients,
  findRules,
  listRecipients,
  lockRules,
  type RulesOwner,
  setRules,
} from "./notifications.store.ts";

export { linkTo, listNotified, type NotificationKind, type ProblemRow };

type Needs = Pick<App, "db" | "clock">;

const INSTALLATION: RulesOwner = { organisation_id: null, environment: null };

export async function getNotifications({ db }: Needs, actor: Actor): Promise<Notifications> {
  return db.forOrganisation(actor, async (tx) => {
    const owner = ownerOf(actor);
    return { rules: await shownRules(tx, owner, ORGANISATION_KINDS, await findRules(tx, owner)) };
  });
}

export async function setNotifications(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  { rules }: SetNotifications,
): Promise<Notifications> {
  const owner = ownerOf(actor);
  const { before, after, isChanged } = await replaceRules(
    tx,
    owner,
    { rules, kinds: ORGANISATION_KINDS },
    clock.now(),
  );
  if (isChanged)
    await recordChange(tx, authorOf(actor.caller, actor.origin), clock.now(), {
      type: "notifications.changed",
      organisationId: actor.organisationId,
      environment: actor.environment,
      subject: actor.organisationId,
      data: { problem_kinds: after.filter(isOn).map(({ kind }) => kind) },
      before: { rules: before },
      after: { rules: after },
    });
  return { rules: after };
}

export async function getOperatorNotifications({ db }: Needs): Promise<OperatorNotifications> {
  return db.forSystem("operator", async (tx) => {
    const rules = await findRules(tx, INSTALLATION);
    return { rules: withoutWebhook(await shownRules(tx, INSTALLATION, OPERATOR_KINDS, rules)) };
  });
}

export async function setOperatorNotifications(
  { db, clock }: Needs,
  { caller, origin }: { caller: SessionCaller; origin: Origin },
  { rules }: SetOperatorNotifications,
): Promise<OperatorNotifications> {
  return db.forSystem("operator", async (tx) => {
    const { before, after, isChanged } = await replaceRules(
      tx,
      INSTALLATION,
      { rules, kinds: OPERATOR_KINDS },
      clock.now(),
    );
    if (isChanged)
      await recordAct(tx, operatorOf(caller, origin), clock.now(), {
        action: "notifications.changed",
        before: { rules: withoutWebhook(before) },
        after: { rules: withoutWebhook(after) },
      });
    return { rules: withoutWebhook(after) };
  });
}

interface ShownRule<Kind> {
  kind: Kind;
  webhook: boolean;
  emails: string[];
}

interface WantedRule<Kind> {
  kind: Kind;
  webhook?: boolean;
  emails?: string[];
}

async function replaceRules<Kind extends NotificationKind>(
  tx: Tx,
  owner: RulesOwner,
  { rules: wanted, kinds }: { rules: readonly WantedRule<Kind>[]; kinds: readonly Kind[] },
  at: Date,
): Promise<{ before: ShownRule<Kind>[]; after: ShownRule<Kind>[]; isChanged: boolean }> {
  const rules = withoutSilentRules(await rulesFrom(tx, owner, wanted));
  const old = await lockRules(tx, owner);
  const before = await shownRules(tx, owner, kinds, old);
  await setRules(tx, owner, rules, at);
  const after = await shownRules(tx, owner, kinds, rules);
  return { before, after, isChanged: JSON.stringify(before) !== JSON.stringify(after) };
}

async function rulesFrom(
  tx: Tx,
  owner: RulesOwner,
  wanted: readonly WantedRule<NotificationKind>[],
): Promise<Rules> {
  const emails = wanted.flatMap((rule) => rule.emails ?? []).map((email) => email.toLowerCase());
  const known = new Map((await findRecipients(tx, owner, emails)).map(({ email, id }) => [email, id]));
  const errors = wanted.flatMap((rule, place) => [
    ...(wanted.findIndex(({ kind }) => kind === rule.kind) < place
      ? [
          fault(
            `#/rules/${place}/kind`,
            "duplicate",
            `${rule.kind} occurs twice. Use one rule for each kind.`,
          ),
        ]
      : []),
    ...(rule.emails ?? []).flatMap((email, at) =>
      known.has(email.toLowerCase())
        ? []
        : [fault(`#/rules/${place}/emails/${at}`, "not_allowed", notARecipient(owner, email))],
    ),
  ]);
  if (errors.length > 0)
    throw new ApiError("invalid_request", errors.map(({ detail }) => detail).join(" "), { errors });
  return Object.fromEntries(
    wanted.map(({ kind, webhook = false, emails: given = [] }) => [
      kind,
      { webhook, user_ids: [...new Set(given.map((email) => known.get(email.toLowerCase())!))] },
    ]),
  );
}

function fault(pointer: string, code: string, detail: string) {
  return { pointer, code, detail };
}

function notARecipient({ organisation_id }: RulesOwner, email: string): string {
  return organisation_id === null
    ? `${email} is not an operator of this installation.`
    : `${email} is not a member of this organisation. Invite the user first.`;
}

/** Every kind, in the order of the list. Former members are left out. */
async function shownRules<Kind extends NotificationKind>(
  tx: Tx,
  owner: RulesOwner,
  kinds: readonly Kind[],
  rules: Rules,
): Promise<ShownRule<Kind>[]> {
  const ids = Object.values(rules).flatMap(({ user_ids }) => user_ids);
  const known = new Map((await listRecipients(tx, owner, ids)).map(({ id, email }) => [id, email]));
  return kinds.map((kind) => ({
    kind,
    webhook: rules[kind]?.webhook ?? false,
    emails: (rules[kind]?.user_ids ?? []).flatMap((id) => known.get(id) ?? []).toSorted(),
  }));
}

function withoutWebhook<Kind>(rules: readonly ShownRule<Kind>[]): { kind: Kind; emails: string[] }[] {
  return rules.map(({ kind, emails }) => ({ kind, emails }));
}

function isOn({ webhook, emails }: ShownRule<unknown>): boolean {
  return webhook || emails.length > 0;
}

function ownerOf({ organisationId, environment }: Actor): RulesOwner {
  return { organisation_id: organisationId, environment };
}
