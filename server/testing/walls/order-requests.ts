import { newId } from "../../src/platform/ids.ts";
import { type Files, pdfOf } from "../evidence.ts";
import { bearer } from "../service.ts";
import type { Fixtures } from "./fixture.ts";
import { freeNumber, orderOf } from "./made-things.ts";
import { type Holder, type Neighbours, tenantOf } from "./neighbours.ts";
import { waitingOrderOf } from "./waiting-order.ts";

const ADDRESS = {
  name: "Northwind",
  street: "Torstraße 12",
  city: "Berlin",
  postal_code: "10119",
  country: "DE",
};
const DOCUMENT: Files = { kind: "identity", file_name: "passport.pdf", content: pdfOf("Fixture") };

/** Requests about orders and the evidence for them. */
export const ORDER_FIXTURES: Fixtures = {
  placeOrder: { body: freeNumber, headers: () => ({ "idempotency-key": newId() }) },
  listOrders: { query: "limit=2" },
  getOrder: { params: orderOf, isOfOneSide: true },
  listAddresses: { query: "limit=2" },
  createAddress: { body: () => ADDRESS },
  getAddress: { params: addressOf, isOfOneSide: true },
  deleteAddress: { params: addressOf, isOfOneSide: true },
  listDocuments: { query: "limit=2" },
  createDocument: { body: () => DOCUMENT },
  getDocument: { params: documentOf, isOfOneSide: true },
  downloadDocument: { params: documentOf, isOfOneSide: true },
  deleteDocument: { params: documentOf, isOfOneSide: true },
  submitRequirements: {
    params: ({ service }, of) => waitingOrderOf(service, of),
    isOfOneSide: true,
    body: () => ({ submissions: [{ requirement_id: "end_user", end_user: { name: "Ada Lovelace" } }] }),
  },
};

export function addressOf(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  return made("/v1/addresses", ADDRESS, neighbours, of);
}

export function documentOf(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  return made("/v1/documents", DOCUMENT, neighbours, of);
}

async function made(
  path: string,
  body: object,
  { service, ...neighbours }: Neighbours,
  { organisationId, environment }: Holder,
): Promise<{ id: string }> {
  const { owner } = tenantOf({ service, ...neighbours }, organisationId);
  const headers = { ...bearer(owner.token), "x-service-environment": environment };
  const answer = await service.send("POST", path, { headers, body });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
  return { id: (answer.body as { id: string }).id };
}
