import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import type { CarrierRequirement, Evidence, OrderingCarrier, Requirements, Side } from "../carrier.ts";

export interface OpenedRequirements extends AsyncDisposable {
  carrier: OrderingCarrier & { requirements: Requirements };
  of: Side;
  /** A number on sale that needs evidence. */
  number(): string;
  /** Everything that it needs (default: an address and a document). */
  needs?: readonly object[];
  /** A number on sale that needs nothing. */
  free(): string;
  /** Until a review has ended. */
  review(): void;
}

/** Country of the addresses. */
const COUNTRY = "US";
const USUAL_NEEDS = [
  { type: "address", country: COUNTRY },
  { type: "document", documentKinds: expect.arrayContaining(["identity"]) },
];

/** The contract of every carrier that can require evidence. */
export function describeRequirements(kind: string, open: () => Promise<OpenedRequirements>): void {
  describe(`evidence for ${kind}`, () => {
    let opened: OpenedRequirements;
    beforeAll(async () => void (opened = await open()));
    afterAll(() => opened[Symbol.asyncDispose]());

    test.each(Object.entries(PROMISES))("%s", (_, holds) => holds(opened));
  });
}

interface Ordered {
  order: string;
  e164: string;
}

async function order({ carrier, of, number }: OpenedRequirements): Promise<Ordered> {
  const [order, e164] = [newId(), number()];
  const placed = await carrier.ordering.order(of, { reference: order, e164s: [e164], isFirst: true });
  expect(placed.items).toEqual([{ e164, outcome: "pending" }]);
  return { order, e164 };
}

function evidenceOf({ type, documentKinds }: CarrierRequirement, { isBad = false } = {}): Evidence {
  if (type === "document") {
    const file_name = isBad ? "rejected.pdf" : "passport.pdf";
    const file = { media_type: "application/pdf", content: Buffer.from("%PDF-1.7\n") };
    return { type: "document", document: { kind: documentKinds?.[0] ?? "identity", file_name, ...file } };
  }
  if (type === "end_user") {
    const name = isBad ? "Ada Rejected" : "Ada Lovelace";
    return { type: "end_user", endUser: { name, phone: "+16295550199" } };
  }
  const city = isBad ? "Rejected" : "Nashville";
  const address = { name: "Northwind", street: "1 Main Street", postal_code: "37201", region: null };
  return { type: "address", address: { ...address, city, country: COUNTRY } };
}

async function submit(
  { carrier, of }: OpenedRequirements,
  { order, e164 }: Ordered,
  requirement: CarrierRequirement,
  { reference = newId(), isBad = false } = {},
) {
  const evidence = evidenceOf(requirement, { isBad });
  return carrier.requirements.submit(of, { reference, order, e164, requirement: requirement.id, evidence });
}

/** Submits one piece of evidence, with all the others if the carrier reviews them together. */
async function submitForReview(
  opened: OpenedRequirements,
  ordered: Ordered,
  requirement: CarrierRequirement,
  options: { reference?: string; isBad?: boolean } = {},
): Promise<void> {
  const isTogether = opened.carrier.requirements.isReviewedTogether;
  for (const one of isTogether ? await listed(opened, ordered) : [requirement])
    await submit(opened, ordered, one, one.id === requirement.id ? options : {});
}

const outcomeOf = async ({ carrier, of }: OpenedRequirements, { order, e164 }: Ordered) =>
  (await carrier.ordering.orderStatus(of, order))!.items.find((one) => one.e164 === e164)!.outcome;

const listed = ({ carrier, of }: OpenedRequirements, { order }: Ordered) =>
  carrier.requirements.requirementsOf(of, order);

const REFUSED = { name: "CarrierFault", kind: "refused" };

const PROMISES: Record<string, (opened: OpenedRequirements) => Promise<void>> = {
  async "keeps the purchase pending, and lists what it needs"(opened) {
    const ordered = await order(opened);
    const missing = { e164: ordered.e164, status: "missing", submission: null };
    expect(await listed(opened, ordered)).toMatchObject(
      (opened.needs ?? USUAL_NEEDS).map((needed) => ({ ...missing, ...needed })),
    );
    expect(await outcomeOf(opened, ordered)).toBe("pending");
  },

  async "sells the number when all evidence is accepted, and not before"(opened) {
    const ordered = await order(opened);
    const needed = await listed(opened, ordered);
    const [last, ...others] = needed.toReversed() as [CarrierRequirement, ...CarrierRequirement[]];
    for (const one of others.toReversed())
      expect(await submit(opened, ordered, one)).toEqual({ status: "pending" });
    opened.review();
    const reviewed = opened.carrier.requirements.isReviewedTogether ? "pending" : "accepted";
    expect((await listed(opened, ordered)).map(({ status }) => status)).toEqual([
      ...others.map(() => reviewed),
      "missing",
    ]);
    expect(await outcomeOf(opened, ordered)).toBe("pending");
    await submit(opened, ordered, last);
    opened.review();
    expect(await outcomeOf(opened, ordered)).toBe("bought");
  },

  async "records a submission once, whatever is repeated"(opened) {
    const ordered = await order(opened);
    const address = (await listed(opened, ordered)).find(({ type }) => type === "address")!;
    const [first, second] = [newId(), newId()];
    await submitForReview(opened, ordered, address, { reference: first, isBad: true });
    opened.review();
    await submitForReview(opened, ordered, address, { reference: second });
    opened.review();
    // A late repeat returns what was decided, and does not count as a newer submission.
    const late = await submit(opened, ordered, address, { reference: first, isBad: true });
    expect(late.status).toBe("rejected");
    const found = (await listed(opened, ordered)).find(({ id }) => id === address.id);
    expect(found).toMatchObject({ status: "accepted", submission: second });
  },

  async "rejects evidence with a reason, and takes other evidence"(opened) {
    const ordered = await order(opened);
    const document = (await listed(opened, ordered)).find(({ type }) => type === "document")!;
    const found = async () => (await listed(opened, ordered)).find(({ id }) => id === document.id)!;
    await submitForReview(opened, ordered, document, { isBad: true });
    opened.review();
    expect(await found()).toMatchObject({ status: "rejected", reason: expect.stringMatching(/\S/) });
    await submitForReview(opened, ordered, document);
    opened.review();
    expect((await found()).status).toBe("accepted");
  },

  async "rejects evidence that the purchase does not need"(opened) {
    const ordered = await order(opened);
    const [address] = await listed(opened, ordered);
    await expect(submit(opened, ordered, { ...address!, id: "other" })).rejects.toMatchObject(REFUSED);
    await expect(submit(opened, { ...ordered, order: newId() }, address!)).rejects.toMatchObject(REFUSED);
  },

  async "cancels a pending number that is released, even if evidence is accepted later"(opened) {
    const { carrier, of } = opened;
    const ordered = await order(opened);
    const requirements = await listed(opened, ordered);
    for (const one of requirements) await submit(opened, ordered, one);
    const release = { reference: newId(), e164: ordered.e164, boughtAs: ordered.order };
    expect(await carrier.ordering.release(of, release)).toBe("released");
    opened.review();
    await carrier.ordering.orderStatus(of, ordered.order);
    const { numbers } = await carrier.ordering.list(undefined);
    expect(numbers.filter(({ e164 }) => e164 === ordered.e164)).toEqual([]);
  },

  async "needs nothing for other numbers, and nothing for unknown purchases"(opened) {
    const { carrier, of, free } = opened;
    const reference = newId();
    await carrier.ordering.order(of, { reference, e164s: [free()] });
    expect(await carrier.requirements.requirementsOf(of, reference)).toEqual([]);
    expect(await carrier.requirements.requirementsOf(of, newId())).toEqual([]);
  },
};
