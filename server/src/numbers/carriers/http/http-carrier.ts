import {
  type Carrier,
  CARRIER_FEATURES,
  type CarrierAccess,
  type CarrierFeature,
  type CarrierOrder,
  CarrierFault,
  type Delivery as DeliveryPart,
  type Evidence,
  type Inventory,
  type Ordering,
  type OrderingCarrier,
  type Requirements as RequirementsPart,
  type Side,
  type WantedRelease,
} from "../carrier.ts";
import { Type } from "typebox";
import { type Ask, type HttpCarrierAccess, openProtocol } from "./http-carrier.request.ts";
import {
  AvailableNumbers,
  CarrierDescription,
  Deliveries,
  Delivery,
  Done,
  Order,
  OwnedNumbers,
  Release,
  Requirements,
  Reservation,
  Restore,
  Submission,
  Trunks,
} from "./http-carrier.schema.ts";

export interface HttpCarrierOptions {
  name: string;
  url: string;
  secret: string;
  /** The features that `describeHttpCarrier` returned. */
  features: readonly string[];
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
/** Rows of one page. The protocol allows 1,000. */
const PAGE = 500;

/** Any carrier that implements the carrier protocol: openapi.carrier.json, docs/carrier-protocol.md. */
export function openHttpCarrier({
  features,
  timeoutMs = TIMEOUT_MS,
  ...access
}: HttpCarrierOptions): OrderingCarrier {
  const ask = openProtocol({ ...access, timeoutMs });
  const has = (feature: CarrierFeature): boolean => features.includes(feature);
  return {
    name: access.name,
    ordering: orderingOf(ask, has("restore")),
    ...(has("inventory") && { inventory: inventoryOf(access.name, ask) }),
    ...(has("delivery") && { delivery: deliveryOf(ask) }),
    ...(has("requirements") && { requirements: requirementsOf(ask) }),
  } satisfies Carrier;
}

export const HTTP = {
  credentials: Type.Object(
    { secret: Type.String({ minLength: 16, maxLength: 500, pattern: "^[!-~]+$" }) },
    { additionalProperties: false },
  ),
  url: {},
  open: ({ name, url, credentials, features }: CarrierAccess & { features: readonly string[] }) =>
    openHttpCarrier({ name, url, secret: credentials["secret"]!, features }),
  async describe({ name, url, credentials }: CarrierAccess) {
    const { features } = await describeHttpCarrier({ name, url, secret: credentials["secret"]! });
    return CARRIER_FEATURES.filter((one) => features.includes(one));
  },
};

/** Asks a carrier for its name and its features. */
export async function describeHttpCarrier(
  access: Omit<HttpCarrierAccess, "timeoutMs">,
): Promise<{ name: string; features: string[] }> {
  const ask = openProtocol({ ...access, timeoutMs: TIMEOUT_MS });
  const { name, features } = known(
    await ask({ method: "GET", path: "/carrier", answer: CarrierDescription }),
  );
  return { name, features };
}

const pathOf = (collection: string, name: string): string => `/${collection}/${encodeURIComponent(name)}`;

function orderingOf(ask: Ask, canRestore: boolean): Ordering {
  const requestOf = async (of: Side, collection: string, wanted: WantedRelease) => {
    requireLive(of);
    return {
      method: "PUT" as const,
      path: pathOf(collection, wanted.reference),
      body: {
        organisation: of.organisationId,
        number: wanted.e164,
        bought_as: wanted.boughtAs ?? null,
      },
    };
  };
  return {
    async order(of, { reference, e164s, reservations = [] }) {
      requireLive(of);
      const body = { organisation: of.organisationId, numbers: e164s, reservations };
      return orderOf(
        known(await ask({ method: "PUT", path: pathOf("orders", reference), body, answer: Order })),
      );
    },
    async orderStatus(_, reference) {
      const order = await ask({ method: "GET", path: pathOf("orders", reference), answer: Order });
      return order && orderOf(order);
    },
    async release(of, wanted) {
      const request = await requestOf(of, "releases", wanted);
      return stateOf(known(await ask({ ...request, answer: Release })).state);
    },
    async releaseStatus(_, { reference }) {
      const release = await ask({ method: "GET", path: pathOf("releases", reference), answer: Release });
      return release && stateOf(release.state);
    },
    ...(canRestore && {
      restore: async (of: Side, wanted: WantedRelease) => {
        const request = await requestOf(of, "restores", wanted);
        return known(await ask({ ...request, answer: Restore })).outcome;
      },
    }),
    async list(after) {
      const query = { limit: String(PAGE), after };
      const page = known(await ask({ method: "GET", path: "/numbers", query, answer: OwnedNumbers }));
      return {
        numbers: page.numbers.map(({ number, reference, organisation, bought_at }) => ({
          e164: number,
          reference,
          ...(organisation !== null && { boughtFor: organisation }),
          boughtAt: bought_at,
        })),
        next: page.next ?? undefined,
      };
    },
  };
}

function inventoryOf(name: string, ask: Ask): Inventory {
  return {
    name,
    async search(of, { limit, ...criteria }) {
      requireLive(of);
      // One more shows that there are more.
      const query = { ...criteria, limit: String(limit + 1) };
      const found = known(await ask({ method: "GET", path: "/available", query, answer: AvailableNumbers }));
      return found.numbers.map(({ number: e164, country, type, capabilities }) => ({
        e164,
        country,
        type,
        capabilities,
      }));
    },
    async reserve(of, { reference, e164s, until }) {
      requireLive(of);
      const body = { organisation: of.organisationId, numbers: e164s, until: until.toISOString() };
      const path = pathOf("reservations", reference);
      const { items } = known(await ask({ method: "PUT", path, body, answer: Reservation }));
      return items.map(({ number, outcome }) => ({
        e164: number,
        outcome: outcome === "available" ? "available" : "not_available",
      }));
    },
    async unreserve(reference) {
      await ask({ method: "DELETE", path: pathOf("reservations", reference), answer: Done });
    },
  };
}

function deliveryOf(ask: Ask): DeliveryPart {
  return {
    async trunks() {
      const { trunks } = known(await ask({ method: "GET", path: "/trunks", answer: Trunks }));
      return trunks.map(({ id, name }) => ({ id, name }));
    },
    async deliver({ e164, trunk }) {
      const path = pathOf("deliveries", e164);
      const delivered = await ask({ method: "PUT", path, body: { trunk }, answer: Delivery });
      if (!delivered) throw new CarrierFault("refused", `The carrier does not have ${e164}.`);
      return { trunk: delivered.trunk };
    },
    async deliveryOf(e164) {
      const delivered = await ask({ method: "GET", path: pathOf("deliveries", e164), answer: Delivery });
      return delivered && { trunk: delivered.trunk };
    },
    async listDeliveries(after) {
      const query = { limit: String(PAGE), after };
      const page = known(await ask({ method: "GET", path: "/deliveries", query, answer: Deliveries }));
      return {
        numbers: page.numbers.map(({ number, trunk }) => ({ e164: number, trunk })),
        next: page.next ?? undefined,
      };
    },
  };
}

function requirementsOf(ask: Ask): RequirementsPart {
  return {
    async requirementsOf(of, order) {
      requireLive(of);
      const found = await ask({ method: "GET", path: pathOf("requirements", order), answer: Requirements });
      return (found?.requirements ?? []).map(
        ({ number, country, document_kinds: kinds, reason, ...one }) => ({
          ...one,
          e164: number,
          ...(country !== null && { country }),
          ...(kinds.length > 0 && { documentKinds: kinds }),
          ...(reason !== null && { reason }),
        }),
      );
    },
    async submit(of, { reference, order, e164, requirement, evidence }) {
      requireLive(of);
      const body = {
        organisation: of.organisationId,
        order,
        number: e164,
        requirement,
        ...evidenceOf(evidence),
      };
      const path = pathOf("submissions", reference);
      const { status, reason } = known(await ask({ method: "PUT", path, body, answer: Submission }));
      if (status !== "rejected") return { status };
      return { status, reason: reason ?? "The carrier gave no reason." };
    },
  };
}

function evidenceOf(evidence: Evidence): object {
  const none = { address: null, document: null, end_user: null };
  switch (evidence.type) {
    case "address": {
      const { name, street, city, postal_code, region, country } = evidence.address;
      return { ...none, address: { name, street, city, postal_code, region, country } };
    }
    case "document": {
      const { kind, file_name, media_type, content } = evidence.document;
      return { ...none, document: { kind, file_name, media_type, content: content.toString("base64") } };
    }
    case "end_user": {
      const {
        name,
        company = null,
        registration_number = null,
        email = null,
        phone = null,
        ...others
      } = evidence.endUser;
      // Members that came later are present only if they are set: an older server may not know them.
      return { ...none, end_user: { name, company, registration_number, email, phone, ...others } };
    }
  }
}

/** Only an operation on a reference or number can be `unknown`. */
function known<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined)
    throw new CarrierFault("not_sent", "The carrier does not know an operation of the carrier protocol.");
  return answer;
}

function orderOf({ items }: { items: { number: string; outcome: string }[] }): CarrierOrder {
  return { items: items.map(({ number, outcome }) => ({ e164: number, outcome: wordOf(outcome) })) };
}

const wordOf = (outcome: string) =>
  outcome === "rejected" ? "refused" : outcome === "bought" ? "bought" : "pending";
const stateOf = (state: string) =>
  state === "rejected" ? "refused" : state === "released" ? "released" : "pending";

function requireLive({ environment }: Side): void {
  if (environment !== "live")
    throw new CarrierFault("refused", "This carrier serves only the live environment.");
}
