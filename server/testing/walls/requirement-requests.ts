import { newId } from "../../src/platform/ids.ts";
import { type Files, pdfOf } from "../evidence.ts";
import { bearer } from "../service.ts";
import type { Fixtures } from "./fixture.ts";
import { type Holder, type Neighbours, tenantOf } from "./neighbours.ts";

const ADDRESS = {
  name: "Northwind",
  street: "Torstraße 12",
  city: "Berlin",
  postal_code: "10119",
  country: "DE",
};
const DOCUMENT: Files = { kind: "identity", file_name: "passport.pdf", content: pdfOf("Fixture") };

export const REQUIREMENT_FIXTURES: Fixtures = {
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
    params: waitingOrderOf,
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

/** An order that waits for the data of the end user. No worker continues it. */
export async function waitingOrderOf(
  { service }: Pick<Neighbours, "service">,
  { organisationId, environment }: Pick<Holder, "organisationId" | "environment">,
): Promise<{ id: string }> {
  const id = newId();
  const { admin } = service.database;
  await admin(
    `insert into orders (organisation_id, environment, id, job_id, status, carrier, idempotency_key, quantity,
       all_or_nothing, tags, created_by_kind, created_at)
     values ($1, $2, $3, $3, 'processing', 'walls', $3::uuid::text, 1, false, '{}', 'session', now())`,
    [organisationId, environment, id],
  );
  await admin(
    `insert into order_items (organisation_id, environment, order_id, position, e164, step, reference)
     values ($1, $2, $3, 1, $4, 'submitted', $3)`,
    [organisationId, environment, id, `+16285${String(++ordered).padStart(6, "0")}`],
  );
  await admin(
    `insert into order_requirements (organisation_id, environment, order_id, position, requirement_id, type,
       description, document_kinds, status, updated_at)
     values ($1, $2, $3, 1, 'end_user', 'end_user', 'Person who uses the number.', '{}', 'missing', now())`,
    [organisationId, environment, id],
  );
  return { id };
}
let ordered = 0;
