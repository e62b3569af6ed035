import { randomUUID } from "node:crypto";
import type { Check, Checks } from "./carrier-check.ts";
import { expectError, expectUnknown, expectUsed } from "./expected-errors.ts";
import type { TriedCarrier } from "./tried-carrier.ts";
import { described, expectEqual, expectTrue } from "./violation.ts";

interface Requirement {
  number: string;
  id: string;
  type: "address" | "document" | "end_user";
  country: string | null;
  document_kinds: string[];
  status: string;
  submission: string | null;
}

interface Ordered {
  number: string;
  order: string;
  needed: Requirement[];
}

/** Orders a number that needs evidence. */
async function order(tried: TriedCarrier): Promise<Ordered> {
  const number = tried.takeRegulated();
  const reference = randomUUID();
  const body = { organisation: tried.one, numbers: [number], reservations: [] };
  const { items } = await tried.ask<{ items: object[] }>("PUT", `/orders/${reference}`, "order", body);
  expectEqual(items, [{ number, outcome: "pending" }], "the outcome of an order without evidence");
  return { number, order: reference, needed: await requirementsOf(tried, reference) };
}

async function requirementsOf(tried: TriedCarrier, reference: string): Promise<Requirement[]> {
  const target = `/requirements/${reference}`;
  const { requirements } = await tried.ask<{ requirements: Requirement[] }>(
    "GET",
    target,
    "listRequirements",
  );
  return requirements;
}

async function outcomeOf(tried: TriedCarrier, { number, order: reference }: Ordered): Promise<string> {
  const { items } = await tried.ask<{ items: { number: string; outcome: string }[] }>(
    "GET",
    `/orders/${reference}`,
    "getOrder",
  );
  return items.find((one) => one.number === number)?.outcome ?? "missing";
}

/** Sound evidence, which a carrier may still reject. */
function submissionOf(
  tried: TriedCarrier,
  { number, order: reference }: Ordered,
  needed: Requirement,
): object {
  const country = needed.country ?? "DE";
  const address = { name: "Ada Lovelace", street: "1 Main Street", city: "Berlin", postal_code: "10119" };
  return {
    organisation: tried.one,
    order: reference,
    number,
    requirement: needed.id,
    address: needed.type === "address" ? { ...address, region: null, country } : null,
    document:
      needed.type === "document"
        ? {
            kind: needed.document_kinds[0] ?? "identity",
            file_name: "passport.pdf",
            media_type: "application/pdf",
            content: Buffer.from("%PDF-1.7\n").toString("base64"),
          }
        : null,
    end_user:
      needed.type === "end_user"
        ? { name: "Ada Lovelace", company: null, registration_number: null, email: null, phone: null }
        : null,
  };
}

const cancel = ({ number, order: reference }: Ordered, tried: TriedCarrier): Promise<string> =>
  tried.release(number, { boughtAs: reference });

const PROMISES: Record<string, Check["run"]> = {
  async "keeps a number pending, and lists the evidence that it needs"(tried) {
    const ordered = await order(tried);
    expectTrue(ordered.needed.length > 0, "The order needs no evidence.");
    for (const { number, status, submission } of ordered.needed)
      expectEqual([number, status, submission], [ordered.number, "missing", null], "a requirement");
    expectEqual(await outcomeOf(tried, ordered), "pending", "the outcome of the number");
    await cancel(ordered, tried);
  },

  async "records evidence once if the response is lost and the submission repeated"(tried) {
    const ordered = await order(tried);
    const [needed] = ordered.needed as [Requirement];
    const [first, second] = [randomUUID(), randomUUID()];
    const body = submissionOf(tried, ordered, needed);
    for (let times = 0; times < 2; times++) await tried.client.lose("PUT", `/submissions/${first}`, body);
    await tried.ask("PUT", `/submissions/${first}`, "submit", body);
    const submissionNow = async () =>
      (await requirementsOf(tried, ordered.order)).find(({ id }) => id === needed.id)!.submission;
    expectEqual(await submissionNow(), first, "the submission of the requirement");
    await tried.ask("PUT", `/submissions/${second}`, "submit", body);
    await tried.ask("PUT", `/submissions/${first}`, "submit", body);
    expectEqual(await submissionNow(), second, "the submission after a repeat of the one before");
    await cancel(ordered, tried);
  },

  async "decides about the number when all evidence is decided"(tried) {
    const ordered = await order(tried);
    const [first, ...rest] = ordered.needed as [Requirement, ...Requirement[]];
    await tried.ask("PUT", `/submissions/${randomUUID()}`, "submit", submissionOf(tried, ordered, first));
    if (rest.length > 0)
      expectEqual(await outcomeOf(tried, ordered), "pending", "the outcome without all evidence");
    for (const needed of rest)
      await tried.ask("PUT", `/submissions/${randomUUID()}`, "submit", submissionOf(tried, ordered, needed));
    const statuses = (await requirementsOf(tried, ordered.order)).map(({ status }) => status);
    expectTrue(!statuses.includes("missing"), "A requirement is missing after its submission.");
    if (statuses.every((status) => status === "accepted"))
      expectEqual(await outcomeOf(tried, ordered), "bought", "the outcome with all evidence accepted");
    await cancel(ordered, tried);
  },

  async "rejects evidence that the order does not need"(tried) {
    const ordered = await order(tried);
    const [needed] = ordered.needed as [Requirement];
    const body = { ...submissionOf(tried, ordered, needed), requirement: randomUUID() };
    const reply = await tried.client.send("PUT", `/submissions/${randomUUID()}`, body);
    expectTrue([400, 409, 422].includes(reply.status), `Expected 422, got ${described(reply)}.`);
    expectError(reply.body);
    await cancel(ordered, tried);
  },

  async "rejects a submission for another number under the same reference"(tried) {
    const [one, other] = [await order(tried), await order(tried)];
    const reference = randomUUID();
    const target = `/submissions/${reference}`;
    await tried.ask("PUT", target, "submit", submissionOf(tried, one, one.needed[0]!));
    await expectUsed(tried, target, submissionOf(tried, other, other.needed[0]!));
    await Promise.all([cancel(one, tried), cancel(other, tried)]);
  },

  async "cancels a pending number when it is released"(tried) {
    const ordered = await order(tried);
    expectEqual(await cancel(ordered, tried), "released", "the release");
    expectEqual(await outcomeOf(tried, ordered), "rejected", "the outcome of the cancelled number");
    expectEqual(await tried.ownedAs(ordered.number), [], "the purchases of the number");
  },

  async "does not know the requirements of an unknown order"(tried) {
    await expectUnknown(tried, "GET", `/requirements/${randomUUID()}`);
  },
};

export const REQUIREMENT_CHECKS: Checks = Object.fromEntries(
  Object.entries(PROMISES).map(([promise, run]) => [promise, { needs: "requirements", run }]),
);
