import { type Ask, CarrierRejection, requireLive } from "../carrier-http.ts";
import {
  CarrierFault,
  type CarrierRequirement,
  type Requirements,
  type Side,
  type SubmissionState,
  type WantedSubmission,
} from "../carrier.ts";
import type { Coverage } from "./didww.coverage.ts";
import { createAddress, createDocument, createIdentity, type Given, verify } from "./didww.evidence.ts";
import { type Need, needsOf, type Party, type Regulation } from "./didww.needs.rules.ts";
import { listOrders } from "./didww.orders.ts";
import {
  listGroupedDids,
  listRegistrations,
  type OrderedDid,
  type Registration,
  stateOf,
} from "./didww.registrations.ts";
import { readRegulation } from "./didww.regulations.ts";

/**
 * DIDWW sells a number that needs registration at once, and blocks it until it has approved the evidence. It decides
 * about all evidence of a number together, so nothing is sent before it is complete.
 */
export function openDidwwRequirements(begin: () => Ask, coverage: Coverage): Requirements {
  return {
    isReviewedTogether: true,
    async requirementsOf(of, order) {
      requireLive("DIDWW", of);
      const ask = begin();
      const { dids, registrations } = await read(ask, order);
      const regulations = await readRegulations(ask, dids);
      return dids.flatMap((did): CarrierRequirement[] => {
        const regulation = regulations.get(did.groupId ?? "");
        return regulation ? listNeeds(did.e164, regulation, ofNumber(registrations, did.e164)) : [];
      });
    },
    submit: (of, wanted) => submit(begin(), coverage, of, wanted),
  };
}

const ofNumber = (registrations: readonly Registration[], e164: string): Registration[] =>
  registrations.filter((one) => one.e164 === e164);

async function read(ask: Ask, order: string): Promise<{ dids: OrderedDid[]; registrations: Registration[] }> {
  const orders = await listOrders(ask, order);
  const orderIds = orders.map(({ id }) => id);
  const dids = orderIds.length === 0 ? [] : await listGroupedDids(ask, orderIds);
  const ours = dids.filter(({ isOurs }) => isOurs);
  return { dids: ours, registrations: ours.length === 0 ? [] : await listRegistrations(ask, order) };
}

async function readRegulations(ask: Ask, dids: readonly OrderedDid[]): Promise<Map<string, Regulation>> {
  const regulations = new Map<string, Regulation>();
  for (const groupId of new Set(dids.map((did) => did.groupId))) {
    const regulation = groupId === null ? undefined : await readRegulation(ask, groupId);
    if (regulation) regulations.set(groupId!, regulation);
  }
  return regulations;
}

function listNeeds(
  e164: string,
  regulation: Regulation,
  tried: readonly Registration[],
): CarrierRequirement[] {
  const last = tried.at(-1);
  const needs = needsOf(regulation, last?.party);
  // Otherwise the last submission would count as received, and would not be repeated to begin the review.
  const shown = last && isReadyForReview(last, needs) ? undefined : last;
  const listed = needs.map((need): CarrierRequirement => {
    const submission = shown?.pieces.get(need.id);
    const state = shown && submission !== undefined ? stateOf(shown) : { status: "missing" as const };
    return { e164, ...partsOf(need), ...state, submission: submission ?? null };
  });
  return [...listed, ...obsoleteNeeds(regulation, tried, needs).map((needed) => ({ e164, ...needed }))];
}

/** Whether the evidence is complete, and the review has not begun. */
function isReadyForReview({ failure, verification, pieces }: Registration, needs: readonly Need[]): boolean {
  return failure === undefined && !verification && needs.every(({ id }) => pieces.has(id));
}

/** Documents of a company, if a person is registered after all. They are needed no longer. */
function obsoleteNeeds(
  regulation: Regulation,
  tried: readonly Registration[],
  needs: readonly Need[],
): Omit<CarrierRequirement, "e164">[] {
  const parties = new Set<Party>(tried.map(({ party }) => party));
  return [...parties]
    .flatMap((party) => needsOf(regulation, party))
    .filter(({ id }) => needs.every((one) => one.id !== id))
    .map((need) => ({ ...partsOf(need), status: "accepted", submission: null }));
}

/** The parts of a need that are not of DIDWW. */
function partsOf({ id, type, description, country, documentKinds }: Need) {
  return { id, type, description, ...(country && { country }), ...(documentKinds && { documentKinds }) };
}

async function submit(
  ask: Ask,
  coverage: Coverage,
  of: Side,
  wanted: WantedSubmission,
): Promise<SubmissionState> {
  requireLive("DIDWW", of);
  const { dids, registrations } = await read(ask, wanted.order);
  const did = dids.find(({ e164 }) => e164 === wanted.e164);
  const regulation = did?.groupId ? await readRegulation(ask, did.groupId) : undefined;
  if (!did || !regulation) throw notNeeded();
  const tried = ofNumber(registrations, wanted.e164);
  const given: Given = { ask, coverage, wanted, did, regulation };
  const earlier = tried.find(({ pieces }) => [...pieces.values()].includes(wanted.reference));
  if (earlier) return conclude(given, earlier);
  const open = tried.findLast((one) => stateOf(one).status === "pending" && !one.verification);
  const need = needsOf(regulation, open?.party).find(({ id }) => id === wanted.requirement);
  if (!need) {
    const isObsolete = obsoleteNeeds(regulation, tried, needsOf(regulation, open?.party)).some(
      ({ id }) => id === wanted.requirement,
    );
    if (isObsolete) return { status: "accepted" };
    throw notNeeded();
  }
  if (need.type !== wanted.evidence.type) throw notNeeded();
  return asState(() => add(given, need, open));
}

function notNeeded(): CarrierFault {
  return new CarrierFault("refused", "DIDWW does not need this.");
}

async function add(given: Given, need: Need, open: Registration | undefined): Promise<SubmissionState> {
  const { reference } = given.wanted;
  if (need.piece.kind === "end_user") {
    const created = await createIdentity(given);
    return typeof created === "string" ? { status: "rejected", reason: created } : conclude(given, created);
  }
  // It was just created: a list may show it later.
  if (!open) throw new CarrierFault("not_sent", "DIDWW does not list the identity of the end user yet.");
  if (need.piece.kind === "onetime") {
    open.pieces.set(need.id, reference);
    return conclude(given, open);
  }
  if (need.piece.kind === "address") {
    const addressId = await createAddress(given, open);
    if (addressId === undefined)
      return { status: "rejected", reason: "The carrier does not know the country." };
    open.addressId = addressId;
  } else {
    const problem = await createDocument(given, need, open);
    if (problem !== undefined) return { status: "rejected", reason: problem };
  }
  open.pieces.set(need.id, reference);
  return conclude(given, open);
}

/** Begins the review if the evidence is complete. A repeat finds that it has begun. */
async function conclude(given: Given, registration: Registration): Promise<SubmissionState> {
  const needs = needsOf(given.regulation, registration.party);
  if (isReadyForReview(registration, needs)) await verify(given, needs, registration);
  return stateOf(registration);
}

/** DIDWW rejects evidence that it can check at once. */
async function asState(work: () => Promise<SubmissionState>): Promise<SubmissionState> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CarrierRejection) || error.kind !== "refused") throw error;
    return { status: "rejected", reason: error.said ?? "The carrier does not accept this." };
  }
}
