import { type Ask, CarrierRejection } from "../carrier-http.ts";
import { allPages } from "../carrier-pages.ts";
import { CarrierFault, type CarrierTrunk, type Delivery } from "../carrier.ts";
import { listOwnedDeliveries, listRecordsOf, trunkOf } from "./telnyx.owned.ts";
import { CONNECTIONS, OWNED_NUMBER } from "./telnyx.schema.ts";

const PAGE_SIZE = 250;

/** A trunk is a connection of Telnyx, of any type: https://developers.telnyx.com/api-reference/connections. */
export function openTelnyxDelivery(begin: () => Ask): Delivery {
  return {
    trunks: () => listConnections(begin()),
    async deliver({ e164, trunk }) {
      const ask = begin();
      const owned = (await listRecordsOf(ask, e164)).find(({ isOurs }) => isOurs);
      if (!owned) throw new CarrierFault("refused", `The account at Telnyx does not have ${e164}.`);
      if (trunkOf(owned) === trunk) return { trunk };
      const path = `/phone_numbers/${encodeURIComponent(owned.id)}`;
      try {
        const body = { connection_id: trunk };
        const { data } = await ask({ method: "PATCH", path, body, answer: OWNED_NUMBER });
        return { trunk: trunkOf(data) };
      } catch (error) {
        // The number has left the account since it was listed.
        if (error instanceof CarrierRejection && error.status === 404)
          throw new CarrierFault("refused", error.message, { cause: error });
        throw error;
      }
    },
    async deliveryOf(e164) {
      const owned = (await listRecordsOf(begin(), e164)).find(({ isOurs }) => isOurs);
      return owned && { trunk: trunkOf(owned) };
    },
    listDeliveries: (after) => listOwnedDeliveries(begin(), after),
  };
}

/** Inactive connections take no calls. */
async function listConnections(ask: Ask): Promise<CarrierTrunk[]> {
  const connections = await allPages(async (page) => {
    const { data, meta } = await ask({
      method: "GET",
      path: "/connections",
      query: { "page[number]": String(page), "page[size]": String(PAGE_SIZE), sort: "connection_name" },
      answer: CONNECTIONS,
    });
    return { items: data, pages: meta.total_pages };
  });
  return connections
    .filter(({ active }) => active !== false)
    .map(({ id, connection_name: name }) => ({ id, name: (name ?? "").slice(0, 200) }));
}
