import { type Ask, CarrierRejection } from "../carrier-http.ts";
import { allPages } from "../carrier-pages.ts";
import { CarrierFault, type CarrierTrunk, type Delivery } from "../carrier.ts";
import { type DeliveredDid, listOwnedDeliveries, readDeliveries } from "./didww.owned.ts";
import { pagesOf } from "./didww.rules.ts";
import { DELIVERED_DID, DID, TRUNKS } from "./didww.schema.ts";

const PAGE_SIZE = 100;
const MOST_NAME = 200;

/** A trunk is an inbound SIP trunk of DIDWW, `voice_in_trunks`. */
export function openDidwwDelivery(begin: () => Ask): Delivery {
  return {
    trunks: () => listTrunks(begin()),
    async deliver({ e164, trunk }) {
      const ask = begin();
      const owned = await findDid(ask, e164);
      if (!owned) throw new CarrierFault("refused", `The account at DIDWW does not have ${e164}.`);
      if (owned.trunk === trunk) return { trunk };
      await setTrunk(ask, owned.id, trunk);
      return { trunk: await readTrunk(ask, owned.id) };
    },
    async deliveryOf(e164) {
      const owned = await findDid(begin(), e164);
      return owned && { trunk: owned.trunk };
    },
    listDeliveries: (after) => listOwnedDeliveries(begin(), after),
  };
}

async function findDid(ask: Ask, e164: string): Promise<DeliveredDid | undefined> {
  const { dids } = await readDeliveries(ask, 1, { "filter[number]": e164.slice(1) });
  return dids.find((did) => did.e164 === e164 && did.isOurs);
}

/** DIDWW sends the calls of a number to a trunk or to a group of trunks, so the group is removed. */
async function setTrunk(ask: Ask, id: string, trunk: string): Promise<void> {
  const relationships = {
    voice_in_trunk: { data: { type: "voice_in_trunks", id: trunk } },
    voice_in_trunk_group: { data: null },
  };
  const body = { data: { type: "dids", id, relationships } };
  try {
    await ask({ method: "PATCH", path: `/dids/${encodeURIComponent(id)}`, body, answer: DID });
  } catch (error) {
    // The number has left the account since it was listed, or the trunk does not exist.
    if (error instanceof CarrierRejection && error.status === 404)
      throw new CarrierFault("refused", error.message, {
        cause: error,
        ...(error.said !== undefined && { said: error.said }),
      });
    throw error;
  }
}

/** The response to a change does not contain the trunk. */
async function readTrunk(ask: Ask, id: string): Promise<string | null> {
  const path = `/dids/${encodeURIComponent(id)}`;
  const { data } = await ask({
    method: "GET",
    path,
    query: { include: "voice_in_trunk" },
    answer: DELIVERED_DID,
  });
  return data.relationships.voice_in_trunk.data?.id ?? null;
}

/** Trunks that forward calls to a phone number are missing, because no switch receives these. */
async function listTrunks(ask: Ask): Promise<CarrierTrunk[]> {
  const trunks = await allPages(async (page) => {
    const { data, meta } = await ask({
      method: "GET",
      path: "/voice_in_trunks",
      query: {
        "filter[configuration.type]": "sip_configurations",
        sort: "name",
        "page[number]": String(page),
        "page[size]": String(PAGE_SIZE),
      },
      answer: TRUNKS,
    });
    return { items: data, pages: pagesOf(meta.total_records, PAGE_SIZE) };
  });
  return trunks.map(({ id, attributes }) => ({ id, name: (attributes.name ?? "").slice(0, MOST_NAME) }));
}
