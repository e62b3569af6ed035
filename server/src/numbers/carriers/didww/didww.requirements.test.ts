import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import { USUAL_REQUIREMENT } from "../testing/didww-server/didww-regulation.ts";
import type { RequirementOptions } from "../testing/didww-server/didww-records.ts";
import { type DidwwServer, startDidwwServer } from "../testing/didww-server/didww-server.ts";
import { describeRequirements } from "../testing/requirements-contract.ts";
import type { EndUser, Evidence, Side } from "../carrier.ts";
import { openDidww } from "./didww.ts";

const live: Side = { organisationId: newId(), environment: "live" };
const UNPACED = { requestsPerSecond: Number.POSITIVE_INFINITY };

/** Everything that DIDWW can want. */
const ALL: RequirementOptions = {
  ...USUAL_REQUIREMENT,
  identityType: "personal",
  addressProofTypes: ["Copy of Phone Bill"],
  addressProofs: 1,
  needsServiceDescription: true,
  personal: {
    level: "world_wide",
    fields: [],
    proofTypes: ["Passport", "Drivers License"],
    proofs: 2,
    permanent: "Registration Form",
    onetime: "Generic LOI",
  },
};

describe.each([
  [
    "an end user, an address and a document",
    { ...USUAL_REQUIREMENT, identityType: "personal" as const },
    [
      { id: "end_user", type: "end_user" },
      { id: "address", type: "address", country: "US" },
      { id: "personal_proof", type: "document", documentKinds: ["passport", "drivers_license"] },
    ],
  ],
  [
    "everything",
    ALL,
    [
      { id: "end_user", type: "end_user" },
      { id: "address", type: "address", country: "US" },
      { id: "personal_proof", type: "document", documentKinds: ["passport", "drivers_license"] },
      { id: "personal_proof_2", type: "document" },
      { id: "personal_form", type: "document", description: expect.stringContaining("Registration Form") },
      { id: "address_proof", type: "document", documentKinds: ["copy_of_phone_bill"] },
      { id: "personal_number_form", type: "document" },
    ],
  ],
])("a number that needs %s", (_, requirement, needs) => {
  describeRequirements("didww", async () => {
    const server = await startDidwwServer();
    let stocked = 0;
    const stock = (options: RequirementOptions | null): string => {
      const e164 = `+1201556${String(1000 + ++stocked)}`;
      server.stock([{ e164, requirement: options }]);
      return e164;
    };
    return {
      carrier: openDidww({ ...server, ...UNPACED }),
      of: live,
      number: () => stock(requirement),
      needs,
      free: () => stock(null),
      review: () => server.regulation.review(),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  });
});

const NUMBER = "+12015550100";
const ADA: EndUser = { name: "Ada Lovelace", phone: "+16295550199" };
const COMPANY: EndUser = { ...ADA, company: "Northwind Inc.", registration_number: "C0123456" };

let server: DidwwServer;
let didww: ReturnType<typeof openDidww>;
let order: string;
beforeEach(async () => {
  server = await startDidwwServer();
  didww = openDidww({ ...server, ...UNPACED, timeoutMs: 2_000 });
  order = newId();
});
afterEach(() => server[Symbol.asyncDispose]());

async function buy(requirement: RequirementOptions | undefined): Promise<void> {
  server.stock([{ e164: NUMBER, requirement }]);
  const placed = await didww.ordering.order(live, { reference: order, e164s: [NUMBER], isFirst: true });
  expect(placed.items).toEqual([{ e164: NUMBER, outcome: "pending" }]);
}

const listed = () => didww.requirements.requirementsOf(live, order);
const statuses = async () => Object.fromEntries((await listed()).map(({ id, status }) => [id, status]));

const endUser = (data: EndUser): Evidence => ({ type: "end_user", endUser: data });
const address = (country = "US"): Evidence => ({
  type: "address",
  address: {
    name: "Northwind",
    street: "1 Main Street",
    city: "Nashville",
    postal_code: "37201",
    region: "Tennessee",
    country,
  },
});
const document = (kind: string): Evidence => ({
  type: "document",
  document: {
    kind,
    file_name: "scan.pdf",
    media_type: "application/pdf",
    content: Buffer.from("%PDF-1.7\nscan"),
  },
});
const submit = (requirement: string, evidence: Evidence, reference = newId()) =>
  didww.requirements.submit(live, { reference, order, e164: NUMBER, requirement, evidence });

describe("the end user", () => {
  test("decides which documents are needed, if DIDWW takes persons and companies", async () => {
    await buy(USUAL_REQUIREMENT);
    expect(await statuses()).toEqual({ end_user: "missing", address: "missing" });
    await submit("end_user", endUser(COMPANY));
    expect(await statuses()).toEqual({ end_user: "pending", address: "missing", business_proof: "missing" });
    await submit("address", address());
    await submit("business_proof", document("trade_license"));
    server.regulation.review();
    expect((await didww.ordering.orderStatus(live, order))!.items).toEqual([
      { e164: NUMBER, outcome: "bought" },
    ]);
  });

  test("can become another party after a rejection, whose documents are needed then", async () => {
    await buy(USUAL_REQUIREMENT);
    await submit("end_user", endUser({ ...ADA, name: "Ada Rejected" }));
    await submit("address", address());
    await submit("personal_proof", document("passport"));
    server.regulation.review();
    expect(await statuses()).toEqual({
      end_user: "rejected",
      address: "rejected",
      personal_proof: "rejected",
    });
    await submit("end_user", endUser(COMPANY));
    await submit("address", address());
    expect(await submit("personal_proof", document("passport"))).toEqual({ status: "accepted" });
    expect(await statuses()).toEqual({
      end_user: "pending",
      address: "pending",
      business_proof: "missing",
      personal_proof: "accepted",
    });
  });

  test.each([
    ["one name", { ...ADA, name: "Ada" }, /first and the last name/],
    ["no phone number", { name: "Ada Lovelace" }, /phone number/],
    ["a company without its number", { ...ADA, company: "Northwind" }, /registration number/],
    ["an unknown country", { ...ADA, country: "AQ" }, /country AQ/],
  ])("is rejected with a reason: %s", async (_, data, reason) => {
    await buy(USUAL_REQUIREMENT);
    expect(await submit("end_user", endUser(data))).toEqual({
      status: "rejected",
      reason: expect.stringMatching(reason),
    });
    expect(server.regulation.identities).toEqual([]);
  });

  test("is registered with all data that the country demands", async () => {
    const fields = ["birth_date", "country", "personal_tax_id", "id_number"];
    const personal = { ...USUAL_REQUIREMENT.personal, fields, level: "country" as const, proofs: 0 };
    await buy({ ...USUAL_REQUIREMENT, identityType: "personal", personal });
    expect(await submit("end_user", endUser({ ...ADA, country: "US" }))).toEqual({
      status: "rejected",
      reason:
        "The carrier also needs: date of birth, tax number of the person, number of an identity document.",
    });
    const born = { birth_date: "1985-12-10", tax_id: "1", id_number: "2" };
    await submit("end_user", endUser({ ...ADA, country: "US", ...born }));
    expect(server.regulation.identities).toMatchObject([
      {
        externalReference: order,
        country: { iso: "US" },
        fields: {
          first_name: "Ada",
          last_name: "Lovelace",
          birth_date: "1985-12-10",
          personal_tax_id: "1",
          id_number: "2",
        },
      },
    ]);
    expect(await submit("address", address())).toEqual({ status: "pending" });
    server.regulation.review();
    expect(await statuses()).toEqual({ end_user: "accepted", address: "accepted" });
  });
});

test("encrypts files for both keys of DIDWW, and sends each once", async () => {
  await buy({ ...USUAL_REQUIREMENT, identityType: "personal" });
  await submit("end_user", endUser(ADA));
  await submit("address", address());
  const reference = newId();
  for (let times = 0; times < 2; times++) await submit("personal_proof", document("passport"), reference);
  expect(server.regulation.proofs).toMatchObject([
    {
      type: { name: "Passport" },
      files: [{ description: "scan.pdf", content: Buffer.from("%PDF-1.7\nscan") }],
    },
  ]);
  expect(server.regulation.verifications).toHaveLength(1);
});

describe("rejections by DIDWW at once", () => {
  test("of an address", async () => {
    await buy(USUAL_REQUIREMENT);
    await submit("end_user", endUser(ADA));
    server.trouble("POST /addresses", { status: 422, code: "100", detail: "postal_code - is invalid" });
    expect(await submit("address", address())).toEqual({
      status: "rejected",
      reason: "postal_code - is invalid",
    });
    expect(await submit("address", address())).toEqual({ status: "pending" });
  });

  test("of a document of another kind", async () => {
    await buy(USUAL_REQUIREMENT);
    await submit("end_user", endUser(ADA));
    expect(await submit("personal_proof", document("identity"))).toEqual({
      status: "rejected",
      reason: "The document must be of the kind passport or drivers_license.",
    });
  });

  test("of the whole registration are kept, and another one begins", async () => {
    server.stock([{ e164: "+493055550100", country: "DE" }]);
    await buy({
      ...USUAL_REQUIREMENT,
      addressLevel: "world_wide",
      personal: { ...USUAL_REQUIREMENT.personal, level: "country", proofs: 0 },
    });
    await submit("end_user", endUser({ ...ADA, country: "DE" }));
    const reason = "Identity in US required";
    expect(await submit("address", address("DE"))).toEqual({ status: "rejected", reason });
    expect(await listed()).toMatchObject([
      { id: "end_user", status: "rejected", reason },
      { id: "address", status: "rejected", reason },
    ]);
    await submit("end_user", endUser({ ...ADA, country: "US" }));
    await submit("address", address("DE"));
    server.regulation.review();
    expect(await statuses()).toEqual({ end_user: "accepted", address: "accepted" });
  });
});

describe("lost responses", () => {
  const PIECES: [requirement: string, evidence: Evidence][] = [
    ["end_user", endUser(ADA)],
    ["address", address()],
    ["personal_proof", document("passport")],
    ["personal_proof_2", document("drivers_license")],
    ["personal_form", document("other")],
    ["address_proof", document("copy_of_phone_bill")],
    ["personal_number_form", document("other")],
  ];

  test.each([
    ["POST /identities"],
    ["POST /addresses"],
    ["POST /encrypted_files"],
    ["POST /proofs"],
    ["POST /permanent_supporting_documents"],
    ["POST /address_requirement_validations"],
    ["POST /address_verifications"],
  ])("of %s leave one of everything", async (route) => {
    await buy(ALL);
    server.trouble(route, "500_after");
    let lost = 0;
    for (const [requirement, evidence] of PIECES) {
      const reference = newId();
      await submit(requirement, evidence, reference).catch(async (error: unknown) => {
        expect(error).toMatchObject({ name: "CarrierFault", kind: "unknown" });
        lost++;
        expect(await submit(requirement, evidence, reference)).toEqual({ status: "pending" });
      });
    }
    expect(lost).toBe(1);
    const { identities, addresses, proofs, documents, verifications } = server.regulation;
    expect([identities, addresses, proofs, documents, verifications].map(({ length }) => length)).toEqual([
      1, 1, 3, 1, 1,
    ]);
    server.regulation.review();
    expect((await didww.ordering.orderStatus(live, order))!.items).toEqual([
      { e164: NUMBER, outcome: "bought" },
    ]);
    expect(server.owned).toHaveLength(1);
  });
});

test("evidence counts as received only when its review has begun", async () => {
  await buy({ ...USUAL_REQUIREMENT, identityType: "personal" });
  await submit("end_user", endUser(ADA));
  await submit("address", address());
  server.trouble("POST /address_requirement_validations", { status: 503, code: "503" });
  const reference = newId();
  await expect(submit("personal_proof", document("passport"), reference)).rejects.toMatchObject({
    kind: "unknown",
  });
  expect(await statuses()).toMatchObject({ personal_proof: "missing" });
  expect(await submit("personal_proof", document("passport"), reference)).toEqual({ status: "pending" });
  expect(await statuses()).toMatchObject({ personal_proof: "pending" });
});

describe("numbers that the service cannot register", () => {
  const BAD = { ...USUAL_REQUIREMENT.personal, fields: ["birth_date", "Shoe Size"] };
  const TEXT =
    "the number needs data of the end user that cannot be submitted here (Shoe Size). An end user with an address in the country is required.";

  test.each([
    ["because of a field", { ...USUAL_REQUIREMENT, identityType: "personal" as const, personal: BAD }, TEXT],
    [
      "because DIDWW does not describe it",
      undefined,
      "the number needs a registration that the carrier does not describe",
    ],
  ])("are rejected before they cost anything: %s", async (_, requirement, reason) => {
    server.stock([{ e164: NUMBER, requirement }]);
    const wanted = { reference: order, e164s: [NUMBER], isFirst: true };
    expect(await didww.ordering.order(live, wanted)).toEqual({
      items: [{ e164: NUMBER, outcome: "refused", reason }],
    });
    const reservation = { reference: newId(), e164s: [NUMBER], until: new Date(Date.now() + 60_000) };
    await expect(didww.inventory.reserve(live, reservation)).rejects.toMatchObject({
      kind: "refused",
      said: reason,
    });
    expect(server.owned).toEqual([]);
  });

  test("are sold to the party that can be registered", async () => {
    await buy({ ...USUAL_REQUIREMENT, personal: BAD });
    expect(await submit("end_user", endUser(ADA))).toMatchObject({
      status: "rejected",
      reason: /company only/,
    });
    expect(await submit("end_user", endUser(COMPANY))).toEqual({ status: "pending" });
  });
});

test("a number that is cancelled before its registration was never sold", async () => {
  await buy(USUAL_REQUIREMENT);
  await didww.ordering.release(live, { reference: newId(), e164: NUMBER, boughtAs: order });
  expect((await didww.ordering.orderStatus(live, order))!.items).toEqual([
    { e164: NUMBER, outcome: "refused" },
  ]);
  expect(await listed()).toEqual([]);
});
