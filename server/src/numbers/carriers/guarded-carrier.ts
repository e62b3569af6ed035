import type { Breaker, Pass } from "../../platform/breaker.ts";
import type { Metrics } from "../../platform/metrics.ts";
import {
  answersToOrder,
  answersToReserve,
  answersToSearch,
  areRequirements,
  isCarrierOrder,
  isDeliveryPage,
  isDeliveryState,
  isNothing,
  isOwnedPage,
  isReleaseState,
  isRestoreState,
  isSubmissionState,
  isTrunks,
  orNothing,
} from "./carrier-answers.ts";
import {
  type Carrier,
  CarrierFault,
  type Delivery,
  type Inventory,
  type Ordering,
  type Requirements,
} from "./carrier.ts";

export interface Guard {
  metrics: Pick<Metrics, "carrierSeconds" | "carrierAway">;
  /** Absent if failures are scripted, or if only our own code can fail. */
  breaker?: Breaker;
  timeoutMs?: number;
  silentMs?: number;
}

/** After this time the call fails with outcome `unknown`. */
const TIMEOUT_MS = 15_000;
/**
 * After this time without a response, a pending call counts as a failure, so that the breaker can open before the
 * timeout.
 */
const SILENT_MS = 5_000;
/**
 * A pending call counts as another failure at this interval, because a worker with two concurrent orders would never
 * reach five.
 */
const SILENT_AGAIN_MS = 1_000;

/** Whatever a carrier does, its callers get a sound answer or a CarrierFault, and get it in time. */
export function guardCarrier<Given extends Carrier>(carrier: Given, guard: Guard): Given {
  return {
    ...carrier,
    ...(carrier.inventory && { inventory: guardInventory(carrier.inventory, guard) }),
    ...(carrier.ordering && { ordering: guardOrdering(carrier.name, carrier.ordering, guard) }),
    ...(carrier.delivery && { delivery: guardDelivery(carrier.name, carrier.delivery, guard) }),
    ...(carrier.requirements && {
      requirements: guardRequirements(carrier.name, carrier.requirements, guard),
    }),
  };
}

function guardInventory(inventory: Inventory, guard: Guard): Inventory {
  const ask = askOf(inventory.name, guard);
  return {
    name: inventory.name,
    search: (of, query) => ask("search", () => inventory.search(of, query), answersToSearch(query)),
    reserve: (of, wanted) => ask("reserve", () => inventory.reserve(of, wanted), answersToReserve(wanted)),
    unreserve: (reference) => ask("unreserve", () => inventory.unreserve(reference), isNothing),
  };
}

function guardOrdering(name: string, ordering: Ordering, guard: Guard): Ordering {
  const ask = askForFault(name, guard);
  return {
    order: (of, wanted) => ask("order", () => ordering.order(of, wanted), answersToOrder(wanted)),
    orderStatus: (of, reference) =>
      ask("orderStatus", () => ordering.orderStatus(of, reference), orNothing(isCarrierOrder)),
    release: (of, wanted) => ask("release", () => ordering.release(of, wanted), isReleaseState),
    releaseStatus: (of, wanted) =>
      ask("releaseStatus", () => ordering.releaseStatus(of, wanted), orNothing(isReleaseState)),
    ...(ordering.restore && {
      restore: (of, wanted) => ask("restore", () => ordering.restore!(of, wanted), isRestoreState),
    }),
    list: (after) => ask("list", () => ordering.list(after), isOwnedPage),
  };
}

function guardDelivery(name: string, delivery: Delivery, guard: Guard): Delivery {
  const ask = askForFault(name, guard);
  return {
    trunks: () => ask("trunks", () => delivery.trunks(), isTrunks),
    deliver: (wanted) => ask("deliver", () => delivery.deliver(wanted), isDeliveryState),
    deliveryOf: (e164) => ask("deliveryOf", () => delivery.deliveryOf(e164), orNothing(isDeliveryState)),
    listDeliveries: (after) => ask("listDeliveries", () => delivery.listDeliveries(after), isDeliveryPage),
  };
}

function guardRequirements(name: string, requirements: Requirements, guard: Guard): Requirements {
  const ask = askForFault(name, guard);
  return {
    ...(requirements.isReviewedTogether && { isReviewedTogether: true }),
    requirementsOf: (of, order) =>
      ask("requirementsOf", () => requirements.requirementsOf(of, order), areRequirements),
    submit: (of, wanted) => ask("submit", () => requirements.submit(of, wanted), isSubmissionState),
  };
}

type Ask = <Answer>(
  call: string,
  work: () => Promise<Answer>,
  isSound: (answer: unknown) => boolean,
) => Promise<Answer>;

const ALWAYS_OPEN: Pass = { succeeded() {}, failed() {}, waits() {} };

function askOf(name: string, { metrics, breaker, timeoutMs = TIMEOUT_MS, silentMs = SILENT_MS }: Guard): Ask {
  const noteBreaker = (): void =>
    metrics.carrierAway.set({ carrier: name }, breaker?.isOpen() === true ? 1 : 0);
  return async (call, work, isSound) => {
    const pass = breaker ? breaker.enter() : ALWAYS_OPEN;
    if (!pass)
      throw new CarrierFault("not_sent", `${name} is not called for now because of repeated failures.`);
    const end = metrics.carrierSeconds.startTimer({ carrier: name, call });
    const noteSilence = (): void => {
      pass.waits();
      noteBreaker();
      silence = setTimeout(noteSilence, SILENT_AGAIN_MS);
    };
    let silence = setTimeout(noteSilence, silentMs);
    try {
      const answer = await within(timeoutMs, work, () => `${name} did not respond to ${call} in time.`);
      if (!isSound(answer))
        throw new CarrierFault("unknown", `${name} returned an invalid response to ${call}.`);
      pass.succeeded();
      end({ outcome: "answered" });
      return answer;
    } catch (error) {
      const kind = error instanceof CarrierFault ? error.kind : "unknown";
      // A carrier that rejects a call is reachable.
      if (kind === "refused") pass.succeeded();
      else pass.failed();
      end({ outcome: kind });
      throw error;
    } finally {
      clearTimeout(silence);
      noteBreaker();
    }
  };
}

/** Whatever an adapter throws, its callers get a CarrierFault. */
function askForFault(name: string, guard: Guard): Ask {
  const ask = askOf(name, guard);
  return (call, work, isSound) =>
    ask(call, work, isSound).catch((error: unknown) => {
      if (error instanceof CarrierFault) throw error;
      throw new CarrierFault("unknown", `${name} failed at ${call}.`, { cause: error });
    });
}

async function within<Answer>(
  ms: number,
  work: () => Promise<Answer>,
  message: () => string,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CarrierFault("unknown", message())), ms);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
