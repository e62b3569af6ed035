import type {
  TelnyxConnection,
  TelnyxOrder,
  TelnyxOwned,
  TelnyxReservation,
  TelnyxStock,
} from "./telnyx-account.ts";

/** The records as the documentation shows them, with all their members. */
export function availableNumber({ e164, country, type, reservable }: TelnyxStock) {
  return {
    record_type: "available_phone_number",
    phone_number: e164,
    vanity_format: null,
    best_effort: false,
    quickship: true,
    reservable,
    region_information: [{ region_type: "country_code", region_name: country }],
    cost_information: { upfront_cost: "1.00000", monthly_cost: "1.00000", currency: "USD" },
    features: [{ name: "voice" }, { name: "sms" }, { name: "emergency" }],
    phone_number_type: type,
  };
}

export function numberReservation({ id, reference, at, pendingReads, numbers }: TelnyxReservation) {
  const failed = numbers.filter(({ status }) => status === "failure").length;
  const mixed = failed === 0 ? "success" : "partial_success";
  const decided = failed === numbers.length ? "failure" : mixed;
  return {
    id,
    record_type: "number_reservation",
    status: pendingReads > 0 ? "pending" : decided,
    customer_reference: reference ?? null,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    phone_numbers: numbers.map((one) => ({
      id: one.id,
      record_type: "reserved_phone_number",
      phone_number: one.e164,
      status: pendingReads > 0 ? "pending" : one.status,
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
      expired_at: one.until.toISOString(),
      errors: one.status === "failure" ? "The number is not available." : "",
    })),
  };
}

export function numberOrder(order: TelnyxOrder) {
  return {
    ...orderHead(order),
    phone_numbers: order.numbers.map(({ id, e164, owned, fate }) => ({
      id,
      record_type: "number_order_phone_number",
      phone_number: e164,
      bundle_id: null,
      country_code: owned.country,
      country_iso_alpha2: owned.country,
      phone_number_type: owned.type,
      regulatory_requirements: [],
      requirements_met: true,
      requirements_status: "approved",
      status: order.pendingReads > 0 ? "pending" : fate,
    })),
  };
}

/** In a list the numbers come without their status. */
export function listedOrder(order: TelnyxOrder) {
  return {
    ...orderHead(order),
    phone_numbers: order.numbers.map(({ id, e164 }) => ({ id, phone_number: e164 })),
  };
}

function orderHead({ id, reference, at, pendingReads, numbers }: TelnyxOrder) {
  const isWhole = numbers.every(({ fate }) => fate === "success");
  return {
    id,
    record_type: "number_order",
    status: pendingReads > 0 ? "pending" : isWhole ? "success" : "failure",
    customer_reference: reference ?? null,
    connection_id: null,
    messaging_profile_id: null,
    billing_group_id: null,
    phone_numbers_count: numbers.length,
    requirements_met: true,
    sub_number_orders_ids: [],
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  };
}

export function connection({ id, name, active, at }: TelnyxConnection) {
  return {
    id,
    record_type: "connection",
    active,
    anchorsite_override: "Latency",
    connection_name: name,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    webhook_event_url: null,
    webhook_event_failover_url: null,
    webhook_api_version: "2",
    outbound_voice_profile_id: null,
    tags: [],
  };
}

export function phoneNumber(owned: TelnyxOwned) {
  const { id, e164, status, reference, isLocked, country, type, at, connectionId } = owned;
  return {
    id,
    record_type: "phone_number",
    phone_number: e164,
    status,
    country_iso_alpha2: country,
    phone_number_type: type,
    customer_reference: reference ?? null,
    deletion_lock_enabled: isLocked,
    external_pin: null,
    tags: [],
    connection_id: connectionId,
    connection_name: null,
    messaging_profile_id: null,
    messaging_profile_name: null,
    billing_group_id: null,
    emergency_enabled: false,
    emergency_address_id: null,
    call_forwarding_enabled: true,
    cnam_listing_enabled: false,
    caller_id_name_enabled: false,
    call_recording_enabled: false,
    t38_fax_gateway_enabled: false,
    hd_voice_enabled: false,
    source_type: "number_order",
    purchased_at: at.toISOString(),
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  };
}

export function pageOf<Item>(items: readonly Item[], query: ReadonlyMap<string, string>) {
  const number = Number(query.get("page[number]") ?? 1);
  const size = Number(query.get("page[size]") ?? 20);
  return {
    data: items.slice((number - 1) * size, number * size),
    meta: {
      page_number: number,
      page_size: size,
      total_pages: Math.ceil(items.length / size),
      total_results: items.length,
    },
  };
}
