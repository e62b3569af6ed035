import type { App } from "../../app.ts";
import { EgressFault, guardedPost } from "../../platform/egress.ts";
import { keepUp } from "../../platform/jobs/job-queue.ts";
import { systemAuthor } from "../audit/audit.ts";
import { recordChange } from "../events/events.ts";
import {
  type DueDelivery,
  makeOutDeliveries,
  setDelivery,
  takeDeliveries,
} from "./webhook-endpoints.deliveries.store.ts";
import { GIVEN_UP_MS, meaningOf, nextAttemptAt } from "./webhook-endpoints.rules.ts";
import { secretOf, signedHeaders } from "./webhook-endpoints.signature.ts";
import { disableEndpoint, setFailingSince } from "./webhook-endpoints.store.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "log">;

const EVERY_MS = 250;
/** Of one endpoint at a time; what comes next is read the next time. */
const MOST_EVENTS = 500;
/** Under way at once in one process, and of these to one endpoint: a slow receiver holds up nobody else. */
const MOST_AT_ONCE = 64;
const MOST_TO_ONE = 8;
const ANSWER_MS = 10_000;
const ANSWER_BYTES = 64 * 1024;
/** Longer than an answer may take, and short enough that a killed worker's deliveries go on soon. */
const TAKEN_MS = 30_000;

/** Carries events to those who want to hear of them, until closed; closing waits for those under way. */
export function startWebhooks(app: Needs): { close(): Promise<void> } {
  const underWay = new Map<Promise<void>, string>();
  let looking: Promise<void> | undefined;
  let isClosing = false;
  const look = (): Promise<void> => {
    looking ??= sendDue(app, underWay, lookAgain).finally(() => (looking = undefined));
    return looking;
  };
  // A place has become free; should looking fail, the next turn of the chore tells.
  const lookAgain = (): void => void (isClosing || look().catch(() => {}));
  const chores = keepUp(app, app, [
    { name: "webhooks.make-out", everyMs: EVERY_MS, run: () => makeOut(app) },
    { name: "webhooks.deliver", everyMs: EVERY_MS, run: look },
  ]);
  return {
    async close() {
      isClosing = true;
      await chores.close();
      await Promise.all([looking, ...underWay.keys()]);
    },
  };
}

/** Nobody who makes a change waits for this: it reads the log of events. */
async function makeOut({ db, clock }: Needs): Promise<void> {
  while ((await db.forSystem("webhooks", (tx) => makeOutDeliveries(tx, MOST_EVENTS, clock.now()))) > 0);
}

async function sendDue(app: Needs, underWay: Map<Promise<void>, string>, onFree: () => void): Promise<void> {
  for (;;) {
    const limit = Math.min(MOST_AT_ONCE - underWay.size, MOST_TO_ONE);
    if (limit <= 0) return;
    const now = app.clock.now();
    const until = new Date(now.getTime() + TAKEN_MS);
    const except = busyEndpoints(underWay);
    const due = await app.db.forSystem("webhooks", (tx) =>
      takeDeliveries(tx, { now, until }, { limit, except }),
    );
    for (const one of due) {
      const sent = deliver(app, one).finally(() => {
        underWay.delete(sent);
        onFree();
      });
      underWay.set(sent, one.endpoint_id);
    }
    if (due.length < limit) return;
  }
}

function busyEndpoints(underWay: ReadonlyMap<unknown, string>): string[] {
  const counts = Map.groupBy(underWay.values(), (id) => id);
  return [...counts].filter(([, all]) => all.length >= MOST_TO_ONE).map(([id]) => id);
}

async function deliver(app: Needs, one: DueDelivery): Promise<void> {
  try {
    await writeDown(app, one, await send(app, one));
  } catch (error) {
    app.log.error(
      { err: error, delivery: one.id },
      "a delivery could not be written down; it will be made again",
    );
  }
}

async function send(
  { clock, config }: Needs,
  one: DueDelivery,
): Promise<{ answered: number | null; error: string | null }> {
  const at = clock.now();
  const body = JSON.stringify({
    id: one.event_id,
    type: one.type,
    timestamp: one.event_at.toISOString(),
    organisation_id: one.organisation_id,
    environment: one.environment,
    subject: one.subject,
    data: one.data,
  });
  const versions = [one.secret_version];
  if (one.previous_secret_until && one.previous_secret_until > at) versions.push(one.secret_version - 1);
  const secrets = versions.map((version) => secretOf(config.secrets, { id: one.endpoint_id, version }));
  const headers = {
    "content-type": "application/json",
    "user-agent": "Dialplane-Webhooks",
    ...signedHeaders(secrets, { id: one.event_id, at, body }),
  };
  try {
    const limits = { timeoutMs: ANSWER_MS, maxBytes: ANSWER_BYTES };
    const { status } = await guardedPost(config.egress, one.url, { body, headers }, limits);
    return {
      answered: status,
      error: meaningOf(status) === "delivered" ? null : `The answer was ${status}.`,
    };
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error;
    return { answered: null, error: error.message };
  }
}

async function writeDown(
  app: Needs,
  one: DueDelivery,
  { answered, error }: { answered: number | null; error: string | null },
): Promise<void> {
  const now = app.clock.now();
  const meaning = answered === null ? "failed" : meaningOf(answered);
  const next = meaning === "failed" ? nextAttemptAt(now, one.attempts) : undefined;
  const isGivenUp = one.failing_since !== null && now.getTime() - one.failing_since.getTime() > GIVEN_UP_MS;
  await app.db.forSystem("webhooks", async (tx) => {
    const status = meaning === "delivered" ? "delivered" : next ? "pending" : "failed";
    await setDelivery(tx, one, { status, nextAttemptAt: next, answered, error });
    await setFailingSince(tx, one.endpoint_id, meaning === "delivered" ? null : now);
    if (meaning === "delivered" || (meaning === "failed" && !isGivenUp)) return;
    const reason = meaning === "gone" ? "gone" : "unreachable";
    const disabled = await disableEndpoint(tx, one.endpoint_id, reason);
    if (!disabled) return;
    await recordChange(tx, systemAuthor("webhooks"), now, {
      type: "webhook_endpoint.disabled",
      organisationId: disabled.organisation_id,
      environment: disabled.environment,
      subject: one.endpoint_id,
      data: { reason },
    });
  });
}
