import type {
  Available,
  Did,
  Group,
  HistoryEntry,
  Hold,
  Order,
  Resource,
  Trunk,
  Unit,
} from "./didww-records.ts";
import { is, kind, never, none, to } from "./didww-kind.ts";
import { COUNTRY, GROUP_TYPE } from "./didww-place-kinds.ts";
import { ADDRESS_REQUIREMENT } from "./didww-regulation-kinds.ts";

const UNIT = kind<Unit>("stock_keeping_units", {
  attributes: ({ monthlyPrice, channels }) => ({
    setup_price: "0.00",
    monthly_price: monthlyPrice,
    channels_included_count: channels,
  }),
});

export const FEATURES = ["voice_in", "voice_out", "t38", "sms_in", "p2p", "a2p", "emergency", "cnam_out"];

export const GROUP = kind<Group>("did_groups", {
  attributes: ({ type }) => ({
    prefix: "1",
    area_name: type.name,
    features: ["voice_in", "sms_in", "emergency"],
    is_metered: false,
    allow_additional_channels: true,
    service_restrictions: null,
  }),
  meta: ({ needsRegistration, isSelectable }) => ({
    available_dids_enabled: isSelectable,
    needs_registration: needsRegistration,
    is_available: true,
    total_count: 1,
  }),
  relations: {
    country: to(COUNTRY, ({ country }: Group) => country),
    city: none,
    did_group_type: to(GROUP_TYPE, ({ type }: Group) => type),
    region: none,
    stock_keeping_units: to(UNIT, ({ units }: Group) => units),
    address_requirement: to(ADDRESS_REQUIREMENT, ({ requirement }: Group) => requirement),
  },
  filters: {
    available_dids_enabled: is(({ isSelectable }) => isSelectable),
    "country.id": is(({ country }) => country.id),
    "did_group_type.id": is(({ type }) => type.id),
    needs_registration: is(({ needsRegistration }) => needsRegistration),
    features: (_, values) => values.includes("voice_in"),
    is_available: is(() => true),
  },
  sorts: ["area_name", "country.name", "did_group_type.name", "is_metered", "prefix"],
});

export const AVAILABLE_DID = kind<Available>("available_dids", {
  attributes: ({ number }) => ({ number }),
  relations: { did_group: to(GROUP, ({ group }: Available) => group), nanpa_prefix: none },
  filters: {
    "city.id": never,
    "country.id": is(({ group }) => group.country.id),
    "did_group.features": (_, values) => values.some((one) => ["voice_in", "sms_in"].includes(one)),
    "did_group.id": is(({ group }) => group.id),
    "did_group.needs_registration": is(({ group }) => group.needsRegistration),
    "did_group_type.id": is(({ group }) => group.type.id),
    "nanpa_prefix.id": never,
    number_contains: ({ number }, [digits]) => number.includes(digits!),
    "region.id": never,
  },
  isPaged: false,
});

export const HOLD = kind<Hold>("did_reservations", {
  attributes: ({ description, at, until }) => ({
    description,
    created_at: at.toISOString(),
    expires_at: until.toISOString(),
  }),
  relations: { available_did: to(AVAILABLE_DID, ({ available }: Hold) => available) },
  filters: { description: is(({ description }) => description) },
  sorts: ["created_at", "description", "expires_at"],
});

export const ORDER = kind<Order>("orders", {
  attributes: ({ reference, status, at, externalReference, bought }) => ({
    reference,
    description: "DID",
    amount: "1.5",
    status,
    created_at: at.toISOString(),
    callback_url: null,
    callback_method: null,
    external_reference_id: externalReference,
    items: bought.map(({ group }) => ({
      type: "did_order_items",
      attributes: { qty: 1, nrc: "0.0", mrc: "1.5", prorated_mrc: false, did_group_id: group.id },
    })),
  }),
  filters: {
    external_reference_id: is(({ externalReference }) => externalReference),
    reference: is(({ reference }) => reference),
    status: is(({ status }) => status),
    created_at_gteq: ({ at }, [since]) => at >= new Date(since!),
    created_at_lteq: ({ at }, [until]) => at <= new Date(until!),
  },
  sorts: ["amount", "created_at", "external_reference_id", "reference", "status"],
});

export const TRUNK = kind<Trunk>("voice_in_trunks", {
  attributes: ({ name, configuration, at }) => ({
    name,
    description: null,
    external_reference_id: null,
    priority: 1,
    weight: 65_535,
    capacity_limit: null,
    cli_format: "e164",
    cli_prefix: null,
    ringing_timeout: null,
    created_at: at.toISOString(),
    configuration: { type: configuration, attributes: { host: "sip.example.com", port: 5060 } },
  }),
  relations: { voice_in_trunk_group: none, pop: none },
  filters: {
    "configuration.type": is(({ configuration }) => configuration),
    external_reference_id: never,
    name: is(({ name }) => name),
  },
  sorts: ["created_at", "description", "external_reference_id", "name", "priority", "weight"],
});

const TRUNK_GROUP = kind<Resource>("voice_in_trunk_groups", { attributes: () => ({ name: "A group" }) });

export const DID = kind<Did>("dids", {
  attributes: ({ number, isTerminated, isAwaitingRegistration, at }) => ({
    number,
    description: null,
    blocked: isTerminated || isAwaitingRegistration,
    awaiting_registration: isAwaitingRegistration,
    terminated: isTerminated,
    emergency_enabled: false,
    capacity_limit: null,
    channels_included_count: 2,
    dedicated_channels_count: 0,
    billing_cycles_count: isTerminated ? 0 : null,
    created_at: at.toISOString(),
    expires_at: null,
  }),
  relations: {
    did_group: to(GROUP, ({ group }: Did) => group),
    order: to(ORDER, ({ order }: Did) => order),
    capacity_pool: none,
    shared_capacity_group: none,
    address_verification: none,
    voice_in_trunk: to(TRUNK, ({ trunk }: Did) => trunk),
    voice_in_trunk_group: to(TRUNK_GROUP, ({ trunkGroup }: Did) => trunkGroup),
    emergency_calling_service: none,
    emergency_verification: none,
    identity: none,
  },
  filters: {
    number: is(({ number }) => number),
    terminated: is(({ isTerminated }) => isTerminated),
    awaiting_registration: is(({ isAwaitingRegistration }) => isAwaitingRegistration),
    "country.id": is(({ group }) => group.country.id),
    "did_group.id": is(({ group }) => group.id),
    "order.id": is(({ order }) => order.id),
    "order.reference": is(({ order }) => order.reference),
    "voice_in_trunk.id": is(({ trunk }) => trunk?.id),
  },
  sorts: ["number", "created_at", "expires_at", "terminated", "blocked", "awaiting_registration"],
});

export const HISTORY = kind<HistoryEntry>("did_history", {
  attributes: ({ number, action, at }) => ({
    did_number: number,
    action,
    method: "api3",
    created_at: at.toISOString(),
  }),
  filters: {
    action: is(({ action }) => action),
    did_number: is(({ number }) => number),
    method: is(() => "api3"),
    created_at_gteq: ({ at }, [since]) => at >= new Date(since!),
    created_at_lteq: ({ at }, [until]) => at <= new Date(until!),
  },
  sorts: ["created_at"],
});
