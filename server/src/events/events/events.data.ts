import { Type } from "typebox";
import { Metadata } from "../../platform/http/metadata.ts";
import { DateTime, described, Id, nullable, openEnum, shape } from "../../platform/http/shapes.ts";

/** Shapes that several types of event share in their `data`. */

const E164 = Type.String({
  maxLength: 16,
  examples: ["+493010000001"],
  description: "Phone number in E.164 format.",
});
export const E164List = Type.Array(E164, { maxItems: 1000, description: "Phone numbers in E.164 format." });
export const JobId = described(Id, "ID of the job that does the work.");
export const Role = openEnum(["owner", "admin", "developer", "member"], "Role in the organisation.");
export const SwitchName = Type.String({
  maxLength: 100,
  examples: ["fra-1"],
  description: "Name of the switch.",
});
export const Domain = Type.String({
  maxLength: 253,
  examples: ["northwind.example"],
  description: "Domain name.",
});
export const Domains = Type.Array(Domain, {
  maxItems: 100,
  description: "Email domains of the identity provider.",
});
export const Reason = Type.Optional(
  Type.String({
    maxLength: 1000,
    examples: ["Unpaid invoice"],
    description: "Reason. Absent if none was given.",
  }),
);
export const Numbered = { e164: E164 };

export const KEYS_OF_MEMBER = Type.Array(
  shape("MemberKeyOutcome", {
    id: described(Id, "ID of the API key."),
    outcome: openEnum(["kept", "expires", "ended", "detached"], "Outcome for the key."),
  }),
  { maxItems: 1000, description: "API keys that the member created, with the outcome for each." },
);

export const ApiKeyData = {
  name: Type.String({ maxLength: 200, examples: ["Billing sync"], description: "Name of the key." }),
  scopes: Type.Array(Type.String({ maxLength: 64, examples: ["numbers"] }), {
    maxItems: 50,
    description: "Scopes of the key.",
  }),
};

/** Addresses, documents and the requirements of orders. */
export const Evidence = {
  address: {
    country: Type.String({ maxLength: 2, examples: ["DE"], description: "Country of the address." }),
  },
  document: {
    kind: Type.String({
      maxLength: 40,
      examples: ["business_registration"],
      description: "Kind of the document.",
    }),
    media_type: Type.String({
      maxLength: 40,
      examples: ["application/pdf"],
      description: "Type of the file.",
    }),
    size: count("Size of the file in bytes.", 1),
  },
  waits: { job_id: JobId, numbers: E164List },
  submitted: { job_id: JobId, submissions: count("Requirements that evidence was submitted for.", 1) },
};

export const ConnectionData = {
  name: Type.String({
    maxLength: 200,
    examples: ["Berlin office"],
    description: "Name of the connection.",
  }),
  generation: count("Revision number of the connection.", 1),
};

const Destination = nullable(
  Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50 }),
);
export const FailedData = {
  switch: SwitchName,
  error: Type.String({
    maxLength: 500,
    examples: ["The switch rejected the value."],
    description: "Error that the switch reported.",
  }),
};
export const DriftData = {
  ...FailedData,
  found: described(Destination, "Value that the switch held. `null` if it held none."),
  expected: described(Destination, "Value that the switch should hold. `null` if it should hold none."),
};
export const DriftEndedData = {
  ...DriftData,
  is_various: Type.Boolean({
    description:
      "Whether the switch held a different value each time. `found` and `expected` are the latest.",
  }),
  count: count("Number of times the drift was found.", 1),
  first_at: described(DateTime, "Time when the drift was first found."),
  last_at: described(DateTime, "Time when the drift was last found."),
  wrong_ms: count("Total time in milliseconds during which the switch held a wrong value."),
};

export const CarrierError = described(
  shape("EventError", {
    code: Type.String({ maxLength: 100, examples: ["carrier_refused"], description: "Error code." }),
    detail: Type.String({
      maxLength: 1000,
      examples: ["The carrier rejected the release."],
      description: "Reason that the carrier gave.",
    }),
  }),
  "Error of the carrier.",
);

export const OrderData = {
  status: openEnum(["completed", "partially_completed", "failed"], "Status of the order."),
  succeeded: count("Numbers that were ordered."),
  failed: count("Numbers that could not be ordered."),
};

export const ProbeData = {
  number_id: described(Id, "ID of the number."),
  e164: Type.String({ maxLength: 16, examples: ["+493010000001"], description: "Number in E.164 format." }),
  via: openEnum(["switch", "carrier"], "Way of the probe."),
};

export const BrokenProbeData = {
  ...ProbeData,
  summary: Type.String({ maxLength: 1000, description: "Broken link, in one line." }),
};

export const ProbedTagData = { tag: Type.String({ maxLength: 64, description: "Tag of the numbers." }) };

export const ProbeScheduleData = {
  ...ProbedTagData,
  via: ProbeData.via,
  every_hours: Type.Integer({
    minimum: 1,
    maximum: 168,
    format: "int32",
    description: "Hours between rounds.",
  }),
};

export const ProblemData = {
  kind: openEnum(
    [
      "number_failing",
      "number_flapping",
      "connection_unreachable",
      "webhook_endpoint_disabled",
      "order_failed",
    ],
    "Kind of the problem.",
  ),
  subject_id: described(Id, "ID of the number, connection, webhook endpoint or order."),
  label: nullable(
    Type.String({
      maxLength: 2000,
      examples: ["+493010000001"],
      description: "Phone number, name, URL or external reference. `null` if there is none.",
    }),
  ),
  error: nullable(
    Type.String({
      maxLength: 500,
      examples: ["Out of memory."],
      description: "Cause. `null` if it is unknown.",
    }),
  ),
  since: described(DateTime, "Start of the problem."),
  url: url("Page of the dashboard that shows it."),
};

export const ProblemEndedData = {
  ...ProblemData,
  ended_at: described(DateTime, "Time when the end was found."),
};

export const NotificationsData = {
  problem_kinds: Type.Array(Type.String({ maxLength: 64, examples: ["number_failing"] }), {
    maxItems: 50,
    description: "Kinds of problems with a notification.",
  }),
};

export const EndpointChangedData = {
  url: Type.Optional(url("New URL, if it was set.")),
  description: Type.Optional(
    described(nullable(Type.String({ maxLength: 500 })), "New description, if it was set."),
  ),
  event_types: Type.Optional(eventTypes("New event types, if they were set.")),
  status: Type.Optional(openEnum(["active", "disabled"], "New status, if it was set.")),
};

export const SignInPolicyData = {
  require_second_factor: Type.Optional(
    Type.Boolean({ description: "New value, if it changed: whether members need a second factor." }),
  ),
  require_single_sign_on: Type.Optional(
    Type.Boolean({ description: "New value, if it changed: whether members must use single sign-on." }),
  ),
  max_session_age_hours: Type.Optional(
    described(
      nullable(Type.Integer({ minimum: 1, maximum: 8760, format: "int32" })),
      "New maximum age of a session in hours, if it changed. `null` if there is no maximum.",
    ),
  ),
};

export const IdentityProviderName = Type.Optional(
  Type.String({ maxLength: 200, examples: ["Northwind SSO"], description: "New name, if it changed." }),
);

export function count(description: string, minimum = 0) {
  return Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, format: "int64", description });
}

export function url(description: string) {
  return Type.String({
    maxLength: 2000,
    examples: ["https://hooks.northwind.example/dialplane"],
    description,
  });
}

export function eventTypes(description: string) {
  return Type.Array(Type.String({ maxLength: 100, examples: ["order.completed"] }), {
    maxItems: 100,
    description,
  });
}

export const NumberChangedData = {
  label: Type.Optional(
    described(nullable(Type.String({ maxLength: 200, examples: ["Sales"] })), "New label, if it changed."),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: 64, examples: ["berlin"] }), {
      maxItems: 20,
      description: "New tags, if they changed.",
    }),
  ),
  metadata: Type.Optional(described(Metadata, "New metadata, if it changed.")),
  release_lock: Type.Optional(Type.Boolean({ description: "New release lock, if it changed." })),
};
