import type { DidwwAccount } from "./didww-account.ts";
import type { Did } from "./didww-records.ts";
import { listDocument, oneDocument, readListQuery } from "./didww-documents.ts";
import { DidwwError, invalid } from "./didww-errors.ts";
import { found, lists, reads, type Route } from "./didww-serve.ts";
import { AVAILABLE_DID, DID, GROUP, HISTORY, HOLD, ORDER, TRUNK } from "./didww-kinds.ts";
import { COUNTRY, GROUP_TYPE } from "./didww-place-kinds.ts";
import { REGULATION_ROUTES } from "./didww-regulation-routes.ts";
import { type Body, readOrder, readResource } from "./didww-request.ts";

const COVERAGE_FILTERS = ["country.id", "region.id", "city.id", "did_group.id", "nanpa_prefix.id"];
/** Routes by method and path below /v3. */
export const ROUTES: Record<string, Route> = {
  "GET /countries": lists(COUNTRY, ({ countries }) => countries),
  "GET /did_group_types": lists(GROUP_TYPE, ({ types }) => types),
  "GET /did_groups": lists(GROUP, ({ groups }) => groups),
  "GET /did_groups/{id}": reads(GROUP, ({ groups }) => groups),

  "GET /available_dids"({ query, account }) {
    const read = readListQuery(AVAILABLE_DID, query);
    const digits = read.filters.find(([name]) => name === "number_contains")?.[1][0];
    const isCovered = read.filters.some(([name]) => COVERAGE_FILTERS.includes(name));
    if (digits !== undefined && digits.length < 3 && !isCovered)
      throw new DidwwError(400, "107", "number_contains needs at least 3 digits or a coverage filter.");
    const selectable = account.available.filter(({ group }) => group.isSelectable);
    const { data, included, meta } = listDocument(AVAILABLE_DID, selectable, read) as {
      data: unknown[];
      included?: unknown[];
      meta: { total_records: number };
    };
    const { total_records: total, ...rest } = meta;
    return {
      status: 200,
      body: {
        data: shuffled(data).slice(0, account.plan.mostListed),
        ...(included && { included }),
        meta: { ...rest, total_count: total },
      },
    };
  },

  "GET /did_reservations": lists(HOLD, ({ holds }) => holds),
  "GET /did_reservations/{id}": reads(HOLD, ({ holds }) => holds),
  async "POST /did_reservations"({ request, account }) {
    const { attributes, relationships } = await readResource(request, {
      type: "did_reservations",
      attributes: ["description"],
      relationships: ["available_did"],
    });
    const available = relationships["available_did"];
    if (available?.type !== "available_dids")
      throw invalid("/data/relationships/available_did", "available_did", "can't be blank");
    const description = (attributes["description"] as string | undefined) ?? null;
    return { status: 201, body: oneDocument(HOLD, account.hold(available.id, description)) };
  },
  "DELETE /did_reservations/{id}"({ account, id }) {
    account.release(found(account.holds, id));
    return { status: 204, body: undefined };
  },

  async "POST /orders"({ request, account, fate }) {
    const body = await readResource(request, {
      type: "orders",
      attributes: [
        "items",
        "allow_back_ordering",
        "callback_url",
        "callback_method",
        "external_reference_id",
      ],
      relationships: [],
    });
    const { wanted, externalReference } = readOrder(body);
    return { status: 201, body: oneDocument(ORDER, account.order(wanted, externalReference, fate)) };
  },
  "GET /orders"(call) {
    const served = lists(ORDER, ({ orders }) => orders)(call) as { status: number; body: ListBody };
    for (const { id } of served.body.data) call.account.read(found(call.account.orders, id));
    return served;
  },
  "GET /orders/{id}"(call) {
    const served = reads(ORDER, ({ orders }) => orders)(call);
    call.account.read(found(call.account.orders, call.id));
    return served;
  },

  "GET /dids": lists(DID, ({ dids }) => dids),
  "GET /dids/{id}": reads(DID, ({ dids }) => dids),
  async "PATCH /dids/{id}"({ request, account, id }) {
    const did = found(account.dids, id);
    const { attributes, relationships } = await readResource(request, {
      type: "dids",
      id,
      attributes: [
        "capacity_limit",
        "description",
        "terminated",
        "billing_cycles_count",
        "dedicated_channels_count",
      ],
      relationships: [
        "capacity_pool",
        "shared_capacity_group",
        "address_verification",
        "voice_in_trunk",
        "voice_in_trunk_group",
        "emergency_calling_service",
      ],
    });
    setTrunk(account, did, relationships);
    if (attributes["terminated"] === true) account.terminate(did);
    return { status: 200, body: oneDocument(DID, did) };
  },
  "GET /did_history": lists(HISTORY, ({ history }) => history),
  "GET /voice_in_trunks": lists(TRUNK, ({ trunks }) => trunks),
  ...REGULATION_ROUTES,
};

interface ListBody {
  data: { id: string }[];
}

/** A number has a trunk or a group of trunks, and never both. */
function setTrunk(account: DidwwAccount, did: Did, changes: Body["relationships"]): void {
  const { voice_in_trunk: wanted, voice_in_trunk_group: group } = changes;
  if (group) throw invalid("/data/attributes/voice_in_trunk_group_id", "trunk_group_id");
  const trunk = wanted && account.trunks.find(({ id }) => id === wanted.id);
  if (wanted && (!trunk || wanted.type !== "voice_in_trunks"))
    throw invalid("/data/attributes/voice_in_trunk_id", "trunk_id");
  if (trunk && did.trunkGroup && group === undefined)
    throw invalid("/data/attributes/voice_in_trunk_id", "trunk_id", "can't be set with a trunk group");
  if (group === null) did.trunkGroup = null;
  if (wanted !== undefined) did.trunk = trunk ?? null;
}

/** The documentation says: in random order. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
