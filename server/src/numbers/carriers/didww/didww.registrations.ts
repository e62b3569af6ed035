import type { Ask } from "../carrier-http.ts";
import { allPages } from "../carrier-pages.ts";
import type { SubmissionState } from "../carrier.ts";
import type { Party } from "./didww.needs.rules.ts";
import { ADDRESSES, GROUPED_DIDS, IDENTITIES, REFERRED, VERIFICATIONS } from "./didww.regulation.schema.ts";
import { pagesOf } from "./didww.rules.ts";
import { includedIn } from "./didww.schema.ts";

const PAGE_SIZE = 100;
/** How many values a filter lists at once. */
const VALUES_AT_ONCE = 50;

export interface OrderedDid {
  id: string;
  e164: string;
  groupId: string | null;
  isOurs: boolean;
}

/** The numbers of these orders, with their groups. */
export async function listGroupedDids(ask: Ask, orderIds: readonly string[]): Promise<OrderedDid[]> {
  return allPages(async (page) => {
    const { data, meta } = await ask({
      method: "GET",
      path: "/dids",
      query: {
        "filter[order.id]": orderIds.join(),
        include: "did_group",
        "fields[dids]": "number,terminated,did_group",
        "page[number]": String(page),
        "page[size]": String(PAGE_SIZE),
      },
      answer: GROUPED_DIDS,
    });
    const items = data.map(({ id, attributes, relationships }) => ({
      id,
      e164: `+${attributes.number}`,
      groupId: relationships.did_group.data?.id ?? null,
      isOurs: !attributes.terminated,
    }));
    return { items, pages: pagesOf(meta.total_records, PAGE_SIZE) };
  });
}

/** One attempt to register a number. A rejected one is never continued: DIDWW decides about all its evidence together. */
export interface Registration {
  e164: string;
  identityId: string;
  party: Party;
  addressId: string | undefined;
  /** References of submissions by the ID of their requirement. */
  pieces: Map<string, string>;
  /** Why DIDWW did not accept the evidence for a review. */
  failure: string | undefined;
  verification: { status: string; reason: string } | undefined;
}

/** State of all evidence of a registration. */
export function stateOf({ failure, verification }: Registration): SubmissionState {
  if (failure !== undefined) return { status: "rejected", reason: failure };
  if (verification?.status === "rejected") return { status: "rejected", reason: verification.reason };
  return { status: verification?.status === "approved" ? "accepted" : "pending" };
}

/**
 * The order, the number and the references of the submissions are stored with the resources at DIDWW. An identity has
 * the number and its reference as a description, and the order as external reference.
 */
const DESCRIPTION = /^(\+\d{7,15}) (\S{1,100})(?: failed: (.*))?$/s;
const MOST_FAILURE = 150;
const MOST_REASON = 500;

export function describeIdentity(e164: string, reference: string, failure?: string): string {
  const text = failure === undefined ? "" : ` failed: ${failure.slice(0, MOST_FAILURE)}`;
  return `${e164} ${reference}${text}`;
}

/** Proofs and forms have the ID of their requirement in front of the reference. */
export function referPiece(requirement: string, reference: string): string {
  return `${requirement}:${reference}`;
}

/** All registrations for numbers of an order, the oldest first. */
export async function listRegistrations(ask: Ask, order: string): Promise<Registration[]> {
  const found = await listIdentities(ask, order);
  const byIdentity = new Map(found.map((one) => [one.identityId, one]));
  const ids = [...byIdentity.keys()];
  const byAddress = new Map<string, Registration>();
  for (let at = 0; at < ids.length; at += VALUES_AT_ONCE) {
    const some = ids.slice(at, at + VALUES_AT_ONCE).join();
    await addAddresses(ask, some, byIdentity, byAddress);
    await addVerifications(ask, some, byAddress);
  }
  return found;
}

async function listIdentities(ask: Ask, order: string): Promise<Registration[]> {
  return allPages(async (page) => {
    const answer = await ask({
      method: "GET",
      path: "/identities",
      query: {
        "filter[external_reference_id]": order,
        include: "proofs,permanent_documents",
        sort: "created_at",
        ...pageOf(page),
      },
      answer: IDENTITIES,
    });
    const items = answer.data.flatMap(({ id, attributes, relationships }): Registration[] => {
      const [, e164, reference, failure] = DESCRIPTION.exec(attributes.description ?? "") ?? [];
      if (attributes.external_reference_id !== order || e164 === undefined) return [];
      const { proofs, permanent_documents: forms } = relationships;
      const linked = [...proofs.data, ...forms.data].map((one) => includedIn(answer, one, REFERRED));
      return [
        {
          e164,
          identityId: id,
          party: attributes.identity_type.toLowerCase() === "business" ? "business" : "personal",
          addressId: undefined,
          pieces: new Map([["end_user", reference!], ...piecesOf(linked)]),
          failure,
          verification: undefined,
        },
      ];
    });
    return { items, pages: pagesOf(answer.meta.total_records, PAGE_SIZE) };
  });
}

async function addAddresses(
  ask: Ask,
  identityIds: string,
  byIdentity: ReadonlyMap<string, Registration>,
  byAddress: Map<string, Registration>,
): Promise<void> {
  await allPages(async (page) => {
    const answer = await ask({
      method: "GET",
      path: "/addresses",
      query: {
        "filter[identity.id]": identityIds,
        include: "identity,proofs",
        sort: "created_at",
        ...pageOf(page),
      },
      answer: ADDRESSES,
    });
    for (const { id, attributes, relationships } of answer.data) {
      const registration = byIdentity.get(relationships.identity.data?.id ?? "");
      if (!registration) continue;
      byAddress.set(id, registration);
      registration.addressId = id;
      registration.pieces.set("address", attributes.external_reference_id ?? "");
      const proofs = relationships.proofs.data.map((one) => includedIn(answer, one, REFERRED));
      for (const [requirement, reference] of piecesOf(proofs))
        registration.pieces.set(requirement, reference);
    }
    return { items: [], pages: pagesOf(answer.meta.total_records, PAGE_SIZE) };
  });
}

const NO_REASON = "The carrier rejected the registration without a reason.";

async function addVerifications(
  ask: Ask,
  identityIds: string,
  byAddress: ReadonlyMap<string, Registration>,
): Promise<void> {
  await allPages(async (page) => {
    const { data, meta } = await ask({
      method: "GET",
      path: "/address_verifications",
      query: {
        "filter[address.identity.id]": identityIds,
        include: "address",
        sort: "created_at",
        ...pageOf(page),
      },
      answer: VERIFICATIONS,
    });
    for (const { attributes, relationships } of data) {
      const registration = byAddress.get(relationships.address.data?.id ?? "");
      if (!registration) continue;
      const reasons = [attributes.reject_reasons ?? [], attributes.reject_comment ?? []].flat();
      const reason = reasons.join(" ").trim().slice(0, MOST_REASON) || NO_REASON;
      registration.verification = { status: attributes.status.toLowerCase(), reason };
      // The form of a single registration exists only in the verification.
      for (const [requirement, reference] of piecesOf([{ attributes }]))
        registration.pieces.set(requirement, reference);
    }
    return { items: [], pages: pagesOf(meta.total_records, PAGE_SIZE) };
  });
}

interface Referred {
  attributes: { external_reference_id?: string | null };
}

function piecesOf(records: readonly Referred[]): [requirement: string, reference: string][] {
  return records.flatMap(({ attributes }): [string, string][] => {
    const [requirement, reference] = (attributes.external_reference_id ?? "").split(":");
    return requirement && reference ? [[requirement, reference]] : [];
  });
}

function pageOf(page: number): Record<string, string> {
  return { "page[number]": String(page), "page[size]": String(PAGE_SIZE) };
}
