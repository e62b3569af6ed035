import type { App } from "../../app.ts";
import { EgressFault, guardedPost } from "../../platform/egress.ts";
import { keepUp } from "../../platform/jobs/job-queue.ts";
import { signingVersions } from "../../platform/signing-secrets.ts";
import { systemAuthor } from "../audit/audit.ts";
import { recordChange } from "../events/events.ts";
import {
  type DueDelivery,
  makeOutDeliveries,
  setDelivery,
  takeDeliveries,
  unmarkCaughtUp,
} from "./webhook-endpoints.deliveries.store.ts";
import { askedPauseMs, GIVEN_UP_MS, meaningOf, nextAttemptAt } from "./webhook-endpoints.rules.ts";
import { secretOf, signedHeaders } from "./webhook-endpoints.signature.ts";
import { disableEndpoint, endFailing, holdEndpoint, setFailingSince } from "./webhook-endpoints.store.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "log">;

const EVERY_MS = 250;
/** In one transaction: a fraction of a second's work. */
const MOST_EVENTS = 5_000;
/** In progress at once in one process. */
const MOST_AT_ONCE = { all: 64, ofOrganisation: 16, ofEndpoint: 8 };
/** The last places are for organisations with none in progress whose endpoints respond: slow ones cannot fill them. */
const RESERVED = 16;
const ANSWER_MS = 10_000;
/** After this many failures in a row an endpoint rests after each attempt, however many deliveries are due. */
const MOST_FAILURES = 8;
const REST_MS = 250;
/** Longer than the response timeout, and short enough that deliveries of a killed worker resume soon. */
const TAKEN_MS = 30_000;

/** Delivers events to webhook endpoints until closed. Closing waits for deliveries in progress. */
export function startWebhooks(app: Needs): { close(): Promise<void> } {
  const progress: Progress = { underWay: new Map(), failures: new Map(), resting: new Set() };
  let looking: Promise<void> | undefined;
  let isFreed = false;
  let isClosing = false;
  const look = (): Promise<void> => {
    if (looking) return looking;
    isFreed = false;
    looking = sendDue(app, progress, onFree).finally(() => {
      looking = undefined;
      if (isFreed) onFree();
    });
    return looking;
  };
  // A slot is free, perhaps during a query. If the query fails, the next run of the chore reports it.
  const onFree = (): void => {
    if (isClosing) return;
    if (looking) isFreed = true;
    else void look().catch(() => {});
  };
  const chores = keepUp(app, app, [
    { name: "webhooks.make-out", everyMs: EVERY_MS, run: () => makeOut(app) },
    { name: "webhooks.deliver", everyMs: EVERY_MS, run: look },
  ]);
  return {
    async close() {
      isClosing = true;
      await chores.close();
      await looking;
      await Promise.all(progress.underWay.keys());
    },
  };
}

/** State of one process. */
interface Progress {
  underWay: Map<Promise<void>, DueDelivery>;
  /** In a row, by endpoint. */
  failures: Map<string, number>;
  resting: Set<string>;
}

/** Reads the log of events, so that requests do not wait for it. */
async function makeOut({ db, clock }: Needs): Promise<void> {
  while ((await db.forSystem("webhooks", (tx) => makeOutDeliveries(tx, MOST_EVENTS, clock.now()))) > 0);
  await unmarkCaughtUp(db);
}

async function sendDue(app: Needs, progress: Progress, onFree: () => void): Promise<void> {
  const { underWay, resting } = progress;
  if (underWay.size >= MOST_AT_ONCE.all) return;
  const now = app.clock.now();
  const until = new Date(now.getTime() + TAKEN_MS);
  const isReserve = underWay.size >= MOST_AT_ONCE.all - RESERVED;
  const places = {
    limits: { ...MOST_AT_ONCE, all: isReserve ? MOST_AT_ONCE.all : MOST_AT_ONCE.all - RESERVED },
    underWay: [...underWay.values()],
    resting: [...resting],
    isReserve,
  };
  const due = await app.db.forSystem("webhooks", (tx) => takeDeliveries(tx, { now, until }, places));
  for (const one of due) {
    const sent = deliver(app, one).then((isDelivered) => {
      if (isDelivered) progress.failures.delete(one.endpoint_id);
      else noteFailure(progress, one.endpoint_id);
      underWay.delete(sent);
      onFree();
    });
    underWay.set(sent, one);
  }
}

function noteFailure({ failures, resting }: Progress, endpointId: string): void {
  const inARow = (failures.get(endpointId) ?? 0) + 1;
  failures.set(endpointId, inARow);
  if (inARow < MOST_FAILURES) return;
  resting.add(endpointId);
  setTimeout(() => resting.delete(endpointId), REST_MS).unref();
}

/** Returns false if the delivery failed. */
async function deliver(app: Needs, one: DueDelivery): Promise<boolean> {
  try {
    const outcome = await send(app, one);
    await recordOutcome(app, one, outcome);
    return outcome.error === null;
  } catch (error) {
    app.log.error(
      { err: error, delivery: one.id },
      "delivery result not stored; the delivery will be repeated",
    );
    return false;
  }
}

interface Outcome {
  answered: number | null;
  error: string | null;
  /** Delay that the receiver requests, in milliseconds. */
  askedMs?: number | undefined;
}

async function send({ clock, config, secrets }: Needs, one: DueDelivery): Promise<Outcome> {
  const at = clock.now();
  const body = JSON.stringify({
    id: one.event_id,
    sequence: Number(one.sequence),
    type: one.type,
    created_at: one.event_at.toISOString(),
    organisation_id: one.organisation_id,
    environment: one.environment,
    subject: one.subject,
    data: one.data,
  });
  const versions = signingVersions(one, at);
  const signing = versions.map(({ version, rootId }) =>
    secretOf(secrets, { id: one.endpoint_id, version, rootId }),
  );
  const headers = {
    "content-type": "application/json",
    "user-agent": "Dialplane-Webhooks",
    ...signedHeaders(signing, { id: one.event_id, at, body }),
  };
  try {
    // Only the status counts: a long or late body must not cause a retry of an accepted delivery.
    const limits = { timeoutMs: ANSWER_MS };
    const { status, headers: said } = await guardedPost(config.egress, one.url, { body, headers }, limits);
    return {
      answered: status,
      error: meaningOf(status) === "delivered" ? null : `The response was ${status}.`,
      askedMs: askedPauseMs(said["retry-after"], clock.now()),
    };
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error;
    return { answered: null, error: error.message };
  }
}

async function recordOutcome(
  app: Needs,
  one: DueDelivery,
  { answered, error, askedMs }: Outcome,
): Promise<void> {
  const now = app.clock.now();
  const meaning = answered === null ? "failed" : meaningOf(answered);
  const next = meaning === "failed" ? nextAttemptAt(now, one.attempts, { askedMs }) : undefined;
  await app.db.forSystem("webhooks", async (tx) => {
    const status = meaning === "delivered" ? "delivered" : next ? "pending" : "failed";
    await holdEndpoint(tx, one.endpoint_id, meaning !== "delivered");
    await setFailingSince(tx, one.endpoint_id, meaning === "delivered" ? null : now);
    await setDelivery(tx, one, { status, nextAttemptAt: next, answered, error });
    if (meaning === "delivered") return;
    const reason = meaning === "gone" ? "gone" : "unreachable";
    const failingSince = new Date(now.getTime() - GIVEN_UP_MS);
    const given = { reason, at: now, ...(meaning !== "gone" && { failingSince }) };
    const disabled = await disableEndpoint(tx, one.endpoint_id, given);
    if (status === "failed") await endFailing(tx, one.endpoint_id);
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
