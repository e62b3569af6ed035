import { type Ask, CarrierRejection, NO_BODY, requireLive } from "../carrier-http.ts";
import {
  CarrierFault,
  type Inventory,
  type InventoryQuery,
  type OfferedNumber,
  type ReservedNumber,
  type WantedReservation,
} from "../carrier.ts";
import type { Coverage } from "./didww.coverage.ts";
import { findOffer, listHeld } from "./didww.offers.ts";
import { obstacleOf } from "./didww.regulations.ts";
import { capabilitiesOf } from "./didww.rules.ts";
import { AVAILABLE_DIDS, GROUP, includedIn, RESERVATION } from "./didww.schema.ts";

export function openDidwwInventory(name: string, begin: () => Ask, coverage: Coverage): Inventory {
  return {
    name,
    async search(of, query) {
      requireLive("DIDWW", of);
      return searchCountry(begin(), coverage, query);
    },
    async reserve(of, wanted) {
      requireLive("DIDWW", of);
      return reserveAll(begin, wanted);
    },
    async unreserve(reference) {
      await releaseUnder(begin(), reference);
    },
  };
}

/** DIDWW has neither pages nor an order here: it returns some of the matching numbers, in random order. */
async function searchCountry(
  ask: Ask,
  coverage: Coverage,
  { country, type, prefix = "", contains = "", after = "", limit }: InventoryQuery,
): Promise<OfferedNumber[]> {
  if (country === undefined) throw new CarrierFault("refused", "A DIDWW search needs a country.");
  const countryId = await coverage.country(ask, country);
  const typeId = type === undefined ? undefined : await coverage.type(ask, type);
  if (countryId === undefined || (type !== undefined && typeId === undefined)) return [];
  const digits = prefix.length > contains.length ? prefix : contains;
  const answer = await ask({
    method: "GET",
    path: "/available_dids",
    query: {
      "filter[country.id]": countryId,
      ...(typeId !== undefined && { "filter[did_group_type.id]": typeId }),
      ...(digits !== "" && { "filter[number_contains]": digits }),
      "filter[did_group.features]": "voice_in",
      include: "did_group",
      "fields[available_dids]": "number,did_group",
    },
    answer: AVAILABLE_DIDS,
  });
  const held = new Set((await listHeld(ask)).map(({ e164 }) => e164));
  const found = answer.data
    .flatMap(({ attributes, relationships }) => {
      const group = relationships.did_group.data;
      return group ? [{ e164: `+${attributes.number}`, group }] : [];
    })
    .filter(({ e164 }) => e164.startsWith(`+${prefix}`) && e164.includes(contains) && e164 > after)
    .filter(({ e164 }) => !held.has(e164))
    .toSorted((one, other) => (one.e164 < other.e164 ? -1 : 1))
    .slice(0, limit + 1);
  const types = await typesOf(ask, coverage, type, new Set(found.map(({ group }) => group.id)));
  return found.map(({ e164, group }) => ({
    e164,
    country,
    type: types(group.id),
    capabilities: capabilitiesOf(includedIn(answer, group, GROUP).attributes.features),
  }));
}

async function typesOf(
  ask: Ask,
  coverage: Coverage,
  type: string | undefined,
  groupIds: ReadonlySet<string>,
): Promise<(groupId: string) => string> {
  if (type !== undefined || groupIds.size === 0) return () => type ?? "other";
  const types = await coverage.typesOf(ask, [...groupIds]);
  return (id) => types.get(id) ?? "other";
}

/**
 * DIDWW reserves one number at a time. All requests reserve in ascending order, so of two that want the same numbers
 * one gets them all, and neither holds what the other waits for.
 */
async function reserveAll(
  begin: () => Ask,
  { reference, e164s, until }: WantedReservation,
): Promise<ReservedNumber[]> {
  const ask = begin();
  const holds = new Map<string, { id: string; until: string }>();
  try {
    for (const e164 of e164s.toSorted()) {
      const hold = await reserveOne(ask, reference, e164);
      if (!hold) break;
      holds.set(e164, hold);
    }
  } catch (error) {
    // Including a hold whose response was lost. The time of the operation may be over, so this is another one. A hold
    // that cannot be released now ends at its time.
    await releaseUnder(begin(), reference).catch(() => {});
    throw error;
  }
  if (holds.size < e164s.length) for (const { id } of holds.values()) await releaseHold(ask, id);
  return e164s.map((e164): ReservedNumber => {
    const hold = holds.get(e164);
    if (!hold) return { e164, outcome: "not_available" };
    const isShorter = Date.parse(hold.until) < until.getTime();
    return { e164, outcome: "available", ...(isShorter && { until: hold.until }) };
  });
}

/** Undefined if the number is not on sale. */
async function reserveOne(
  ask: Ask,
  reference: string,
  e164: string,
): Promise<{ id: string; until: string } | undefined> {
  const offer = await findOffer(ask, e164);
  if (!offer || !("available_did_id" in offer.source)) return undefined;
  const said = offer.needsRegistration ? await obstacleOf(ask, offer.groupId) : undefined;
  if (said !== undefined)
    throw new CarrierFault("refused", `DIDWW does not reserve ${e164}: ${said}`, { said });
  const available = { type: "available_dids", id: offer.source.available_did_id };
  const body = {
    data: {
      type: "did_reservations",
      attributes: { description: reference },
      relationships: { available_did: { data: available } },
    },
  };
  try {
    const { data } = await ask({ method: "POST", path: "/did_reservations", body, answer: RESERVATION });
    return { id: data.id, until: new Date(data.attributes.expires_at).toISOString() };
  } catch (error) {
    // Another customer may have been faster. If the number is still on sale, DIDWW rejects the reservation itself.
    if (!(error instanceof CarrierRejection) || error.kind !== "refused") throw error;
    if (await isTaken(ask, e164)) return undefined;
    throw error;
  }
}

async function isTaken(ask: Ask, e164: string): Promise<boolean> {
  if (!(await findOffer(ask, e164))) return true;
  // Not documented: the list of numbers on sale may include those that the account itself has reserved.
  return (await listHeld(ask)).some((held) => held.e164 === e164);
}

async function releaseUnder(ask: Ask, reference: string): Promise<void> {
  const held = await listHeld(ask, reference);
  for (const { id } of held.filter((one) => one.reference === reference)) await releaseHold(ask, id);
}

async function releaseHold(ask: Ask, id: string): Promise<void> {
  try {
    const path = `/did_reservations/${encodeURIComponent(id)}`;
    await ask({ method: "DELETE", path, answer: NO_BODY });
  } catch (error) {
    if (!(error instanceof CarrierRejection) || error.status !== 404) throw error;
  }
}
