/** One example for each body of the carrier protocol. A test checks them against the schemas. */
export interface ProtocolExample {
  body?: object;
  answer: object;
}

const REFERENCE = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11";
const ORGANISATION = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b22";
const SUBMISSION = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b33";
const [BOUGHT, GONE] = ["+493010000001", "+493010000002"];

const order = {
  items: [
    { number: BOUGHT, outcome: "bought" },
    { number: GONE, outcome: "rejected" },
  ],
};
const returned = { organisation: ORGANISATION, number: BOUGHT, bought_as: REFERENCE };

export const PROTOCOL_EXAMPLES: Record<string, ProtocolExample> = {
  describeCarrier: {
    answer: {
      protocol: 1,
      name: "Example Telecom",
      features: ["inventory", "restore", "delivery", "requirements"],
    },
  },
  order: { body: { organisation: ORGANISATION, numbers: [BOUGHT, GONE], reservations: [] }, answer: order },
  getOrder: { answer: order },
  release: { body: returned, answer: { state: "released" } },
  getRelease: { answer: { state: "released" } },
  restore: { body: returned, answer: { outcome: "restored" } },
  listNumbers: {
    answer: {
      numbers: [
        {
          number: BOUGHT,
          reference: REFERENCE,
          organisation: ORGANISATION,
          bought_at: "2026-11-15T09:30:00.000Z",
        },
      ],
      next: null,
    },
  },
  searchNumbers: {
    answer: { numbers: [{ number: BOUGHT, country: "DE", type: "local", capabilities: ["voice"] }] },
  },
  reserve: {
    body: { organisation: ORGANISATION, numbers: [BOUGHT], until: "2026-11-15T10:00:00.000Z" },
    answer: { items: [{ number: BOUGHT, outcome: "available" }] },
  },
  cancelReservation: { answer: {} },
  listTrunks: { answer: { trunks: [{ id: "trunk-1", name: "Frankfurt" }] } },
  deliver: { body: { trunk: "trunk-1" }, answer: { trunk: "trunk-1" } },
  getDelivery: { answer: { trunk: "trunk-1" } },
  listRequirements: {
    answer: {
      requirements: [
        {
          number: BOUGHT,
          id: "address",
          type: "address",
          description: "Address of the end user in Germany.",
          country: "DE",
          document_kinds: [],
          status: "rejected",
          reason: "The address does not exist.",
          submission: SUBMISSION,
        },
      ],
    },
  },
  submit: {
    body: {
      organisation: ORGANISATION,
      order: REFERENCE,
      number: BOUGHT,
      requirement: "address",
      address: {
        name: "Northwind Telecom GmbH",
        street: "Jungfernstieg 7",
        city: "Hamburg",
        postal_code: "20354",
        region: null,
        country: "DE",
      },
      document: null,
      end_user: null,
    },
    answer: { status: "pending", reason: null },
  },
  listDeliveries: { answer: { numbers: [{ number: BOUGHT, trunk: "trunk-1" }], next: null } },
};

export const ERROR_EXAMPLES = {
  rejected: { code: "invalid_request", message: "numbers must be a list of 1 to 100 numbers." },
  malformed: { code: "invalid_json", message: "The body is not JSON." },
  used: { code: "reference_used", message: "The reference belongs to an order of other numbers." },
  tooLarge: { code: "too_large", message: "A request has at most 1 MiB." },
  unsigned: {
    code: "invalid_signature",
    message: "The signature is missing, wrong or older than 5 minutes.",
  },
  failed: { code: "internal_error", message: "The server failed." },
  unavailable: { code: "maintenance", message: "The carrier is under maintenance until 04:00 UTC." },
  unknown: { code: "unknown", message: "No order has this reference." },
};

/** A request with its signature, for carriers to test their code with. */
export const SIGNATURE_EXAMPLE = {
  secret: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
  timestamp: "1763199000",
  method: "PUT",
  target: "/deliveries/%2B493010000001",
  body: '{"trunk":"trunk-1"}',
  signature: "v1=1fb1c20d8b888b5c494407f0011168966263841ec578e3f6f06de12bb1ef3043",
};
