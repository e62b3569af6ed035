import { type Ask, CarrierRejection } from "../carrier-http.ts";
import { CarrierFault, type EvidenceDocument, type WantedSubmission } from "../carrier.ts";
import type { Coverage } from "./didww.coverage.ts";
import { encryptFile, fingerprintOf } from "./didww.encrypt.ts";
import { identityOf, type Need, proofTypeOf, type Regulation } from "./didww.needs.rules.ts";
import { describeIdentity, type OrderedDid, referPiece, type Registration } from "./didww.registrations.ts";
import { CREATED, IDENTITY, PUBLIC_KEYS, VERIFICATION } from "./didww.regulation.schema.ts";

/** A submission, and what DIDWW needs for its number. */
export interface Given {
  ask: Ask;
  coverage: Coverage;
  wanted: WantedSubmission;
  did: OrderedDid;
  regulation: Regulation;
}

const to = (type: string, id: string) => ({ data: { type, id } });

/** Begins a registration. Returns the problem with the data, if there is one. */
export async function createIdentity({
  ask,
  coverage,
  wanted,
  regulation,
}: Given): Promise<Registration | string> {
  const { evidence, e164, order, reference } = wanted;
  if (evidence.type !== "end_user") throw new CarrierFault("refused", "DIDWW needs an end user.");
  const { country, birth_country: birthCountry } = evidence.endUser;
  const attributes = identityOf(evidence.endUser, regulation);
  if (typeof attributes === "string") return attributes;
  const relationships: Record<string, object> = {};
  for (const [name, iso] of Object.entries({ country, birth_country: birthCountry })) {
    if (iso === undefined) continue;
    const id = await coverage.country(ask, iso);
    if (id === undefined) return `The carrier does not know the country ${iso}.`;
    relationships[name] = to("countries", id);
  }
  const references = { external_reference_id: order, description: describeIdentity(e164, reference) };
  const body = { data: { type: "identities", attributes: { ...attributes, ...references }, relationships } };
  const { data } = await ask({ method: "POST", path: "/identities", body, answer: IDENTITY });
  return {
    e164,
    identityId: data.id,
    party: attributes.identity_type,
    addressId: undefined,
    pieces: new Map([["end_user", reference]]),
    failure: undefined,
    verification: undefined,
  };
}

/** Undefined if DIDWW does not know the country. */
export async function createAddress(
  { ask, coverage, wanted: { evidence, reference } }: Given,
  { identityId }: Registration,
): Promise<string | undefined> {
  if (evidence.type !== "address") throw new CarrierFault("refused", "DIDWW needs an address.");
  const { street, region, city, postal_code, country, name } = evidence.address;
  const countryId = await coverage.country(ask, country);
  if (countryId === undefined) return undefined;
  const attributes = {
    address: [street, region].filter(Boolean).join(", "),
    city_name: city,
    postal_code,
    description: name,
    external_reference_id: reference,
  };
  const relationships = { identity: to("identities", identityId), country: to("countries", countryId) };
  const body = { data: { type: "addresses", attributes, relationships } };
  const { data } = await ask({ method: "POST", path: "/addresses", body, answer: CREATED });
  return data.id;
}

/** A proof of the end user or of the address, or a form. Returns the problem with the document, if there is one. */
export async function createDocument(
  { ask, wanted: { evidence, reference } }: Given,
  { id: requirement, piece, documentKinds = [] }: Need,
  { identityId, addressId }: Registration,
): Promise<string | undefined> {
  if (evidence.type !== "document") throw new CarrierFault("refused", "DIDWW needs a document.");
  const attributes = { external_reference_id: referPiece(requirement, reference) };
  if (piece.kind === "permanent") {
    const files = await upload(ask, evidence.document);
    const template = to("supporting_document_templates", piece.template.id);
    const relationships = { files, template, identity: to("identities", identityId) };
    const body = { data: { type: "permanent_supporting_documents", attributes, relationships } };
    await ask({ method: "POST", path: "/permanent_supporting_documents", body, answer: CREATED });
    return undefined;
  }
  if (piece.kind !== "identity_proof" && piece.kind !== "address_proof") return undefined;
  const type = proofTypeOf(piece.types, evidence.document.kind);
  if (!type) return `The document must be of the kind ${documentKinds.join(" or ")}.`;
  if (piece.kind === "address_proof" && addressId === undefined)
    throw new CarrierFault("not_sent", "DIDWW does not list the address yet.");
  const entity = piece.kind === "address_proof" ? to("addresses", addressId!) : to("identities", identityId);
  const files = await upload(ask, evidence.document);
  const relationships = { files, proof_type: to("proof_types", type.id), entity };
  const body = { data: { type: "proofs", attributes, relationships } };
  await ask({ method: "POST", path: "/proofs", body, answer: CREATED });
  return undefined;
}

/** DIDWW deletes a file that nothing uses after a day, so a lost response leaves nothing behind. */
async function upload(ask: Ask, { file_name, content }: EvidenceDocument) {
  const { data: listed } = await ask({ method: "GET", path: "/public_keys", answer: PUBLIC_KEYS });
  const keys = listed.map(({ attributes }) => attributes.key) as [string, string];
  const form = new FormData();
  form.set("encrypted_files[encryption_fingerprint]", fingerprintOf(keys));
  form.set("encrypted_files[description]", file_name);
  form.set(
    "encrypted_files[file]",
    new Blob([new Uint8Array(encryptFile(content, keys))]),
    `${file_name}.enc`,
  );
  const { data } = await ask({ method: "POST", path: "/encrypted_files", form, answer: CREATED });
  return { data: [{ type: "encrypted_files", id: data.id }] };
}

/** The service only receives calls, so this is true of every number. */
const SERVICE = "Incoming calls to the number are routed to the phone system of the end user.";

/** Begins the review. If DIDWW rejects the evidence at once, the identity says so, for later queries. */
export async function verify(
  given: Given,
  needs: readonly Need[],
  registration: Registration,
): Promise<void> {
  const { ask, wanted, did, regulation } = given;
  const { identityId, addressId, pieces } = registration;
  const onetime = needs.find(({ piece }) => piece.kind === "onetime");
  const last = onetime ? referPiece(onetime.id, pieces.get(onetime.id)!) : pieces.get("end_user")!;
  try {
    const checked = {
      address_requirement: to("address_requirements", regulation.id),
      identity: to("identities", identityId),
      address: to("addresses", addressId!),
    };
    const check = { data: { type: "address_requirement_validations", relationships: checked } };
    await ask({ method: "POST", path: "/address_requirement_validations", body: check, answer: CREATED });
    const files =
      onetime && wanted.evidence.type === "document" && (await upload(ask, wanted.evidence.document));
    const attributes = {
      external_reference_id: last,
      ...(regulation.needsServiceDescription && { service_description: SERVICE }),
    };
    const relationships = {
      address: to("addresses", addressId!),
      dids: { data: [{ type: "dids", id: did.id }] },
      ...(files && { onetime_files: files }),
    };
    const body = { data: { type: "address_verifications", attributes, relationships } };
    const { data } = await ask({
      method: "POST",
      path: "/address_verifications",
      body,
      answer: VERIFICATION,
    });
    registration.verification = { status: data.attributes.status.toLowerCase(), reason: "" };
  } catch (error) {
    if (!(error instanceof CarrierRejection) || error.kind !== "refused") throw error;
    await fail(given, registration, error.said ?? "The carrier does not accept this evidence.");
  }
}

async function fail({ ask, wanted }: Given, registration: Registration, reason: string): Promise<void> {
  const { identityId, pieces } = registration;
  const description = describeIdentity(wanted.e164, pieces.get("end_user")!, reason);
  const body = { data: { type: "identities", id: identityId, attributes: { description } } };
  const path = `/identities/${encodeURIComponent(identityId)}`;
  await ask({ method: "PATCH", path, body, answer: IDENTITY });
  registration.failure = reason;
}
