import { Type } from "typebox";
import { type Described, of } from "./events.described.ts";
import { DateTime, described, Id, nullable, openEnum } from "../../platform/http/shapes.ts";
import {
  E164List,
  JobId,
  Role,
  SwitchName,
  Domain,
  Domains,
  Reason,
  Numbered,
  KEYS_OF_MEMBER,
  ApiKeyData,
  Evidence,
  ConnectionData,
  NumberChangedData,
  FailedData,
  DriftData,
  DriftEndedData,
  OrderData,
  BrokenProbeData,
  ProbeData,
  ProbedTagData,
  ProbeScheduleData,
  ProblemData,
  ProblemEndedData,
  SignInPolicyData,
  NotificationsData,
  EndpointChangedData,
  IdentityProviderName,
  CarrierError,
  count,
  url,
  eventTypes,
} from "./events.data.ts";

/** Every type of event. Clients and endpoints rely on these names: types are added, never renamed. */
export const EVENTS = {
  "address.created": of("address", "An address was created.", Evidence.address),
  "address.deleted": of("address", "An address was deleted.", Evidence.address),
  "api_key.created": of("API key", "An API key was created.", ApiKeyData),
  "api_key.confirmed": of(
    "API key",
    "An owner confirmed an API key that was suspended after a restore of the database.",
    {},
  ),
  "api_key.detached": of("API key", "An API key lost access to this organisation.", {}),
  "api_key.revoked": of("API key", "An API key was revoked.", {}),
  "api_key.rotated": of("API key", "An API key was created to replace another one.", {
    ...ApiKeyData,
    replaces_id: described(Id, "ID of the replaced key."),
  }),
  "bulk_change.finished": of("bulk change", "A bulk change finished.", {
    total: count("Selected numbers."),
    set: count("Numbers that changed."),
    unchanged: count("Numbers that had the value already."),
    stale: count("Numbers that another change updated after planning. They were left unchanged."),
    failed: count("Numbers that could not be changed."),
  }),
  "bulk_change.planned": of("bulk change", "A bulk change was planned.", {
    change: openEnum(["routing", "tags", "release_lock"], "Field that the change sets."),
    total: count("Selected numbers."),
  }),
  "bulk_change.started": of("bulk change", "A bulk change was started.", {
    total: count("Selected numbers."),
  }),
  "connection.changed": of("connection", "The settings of a connection changed.", ConnectionData),
  "connection.created": of("connection", "A connection was created.", ConnectionData),
  "connection.deleted": of("connection", "A connection was deleted.", ConnectionData),
  "connection.drift_ended": of(
    "connection",
    "A drift of a connection ended: the switch has held the right value for 10 minutes.",
    DriftEndedData,
  ),
  "connection.drifted": of(
    "connection",
    "A switch held other settings of a connection than it should.",
    DriftData,
  ),
  "connection.failed": of("connection", "A switch rejected the settings of a connection.", FailedData),
  "connection.flapping": of(
    "connection",
    "A connection drifted for the third time on one switch.",
    DriftData,
  ),
  "connection.reachable": of("connection", "A target of an unreachable connection responds again.", {
    switch: SwitchName,
  }),
  "connection.unreachable": of("connection", "No target of a connection responds to a switch.", {
    switch: SwitchName,
  }),
  "document.created": of("document", "A document was created.", Evidence.document),
  "document.deleted": of("document", "A document was deleted.", Evidence.document),
  "identity_provider.changed": of("identity provider", "The settings of an identity provider changed.", {
    name: IdentityProviderName,
    domains: Type.Optional(Domains),
    has_new_secret: Type.Optional(Type.Boolean({ description: "`true` if the client secret changed." })),
  }),
  "identity_provider.created": of("identity provider", "An identity provider was created.", {
    issuer: Type.String({
      maxLength: 2000,
      examples: ["https://id.northwind.example"],
      description: "Issuer URL.",
    }),
    client_id: Type.String({
      maxLength: 500,
      examples: ["dialplane"],
      description: "Client ID at the provider.",
    }),
    domains: Domains,
  }),
  "identity_provider.deleted": of("identity provider", "An identity provider was deleted.", {}),
  "identity_provider.domain_lapsed": of(
    "identity provider",
    "A domain is no longer verified, because its TXT record stayed missing.",
    { domain: Domain },
  ),
  "identity_provider.domain_missing": of(
    "identity provider",
    "The TXT record of a verified domain is missing.",
    {
      domain: Domain,
    },
  ),
  "identity_provider.domain_proved": of("identity provider", "A domain was verified.", { domain: Domain }),
  "invitation.created": of("invitation", "A user was invited.", { role: Role }),
  "invitation.withdrawn": of("invitation", "An invitation was withdrawn.", { role: Role }),
  "member.break_glass_used": of("user", "An owner signed in without the required single sign-on.", {
    method: openEnum(["password", "passkey", "provider"], "Sign-in method."),
  }),
  "member.identity_linked": of(
    "user",
    "A member signed in through an identity provider for the first time.",
    {
      identity_provider_id: described(Id, "ID of the identity provider."),
    },
  ),
  "member.joined": of("user", "A user became a member.", { role: Role }),
  "member.removed": of("user", "A member was removed.", { role: Role, keys: KEYS_OF_MEMBER }),
  "member.role_changed": of("user", "The role of a member changed.", {
    from: described(Role, "Previous role."),
    to: described(Role, "New role."),
    keys: Type.Optional(KEYS_OF_MEMBER),
  }),
  "notifications.changed": of("organisation", "The notification rules changed.", NotificationsData),
  "number.added": of("number", "The organisation received a number.", {
    ...Numbered,
    source: openEnum(["order", "import"], "How the organisation received the number."),
  }),
  "number.changed": of(
    "number",
    "The label, tags, metadata or release lock of a number changed.",
    NumberChangedData,
  ),
  "number.missing_at_carrier": of("number", "The carrier no longer lists a number of the organisation.", {
    ...Numbered,
    carrier: Type.String({ maxLength: 100, examples: ["telnyx"], description: "Name of the carrier." }),
  }),
  "number.quarantined": of(
    "number",
    "The number was returned to the carrier. It can be restored for a time.",
    {
      ...Numbered,
      restore_until: described(
        nullable(DateTime),
        "Time until which you can restore it. `null` if the carrier cannot restore it.",
      ),
    },
  ),
  "number.release_failed": of(
    "number",
    "The carrier rejected the release. The organisation keeps the number.",
    {
      ...Numbered,
      error: CarrierError,
    },
  ),
  "number.released": of(
    "number",
    "The quarantine ended. The number no longer belongs to the organisation.",
    Numbered,
  ),
  "number.releasing": of("number", "A release was started.", { ...Numbered, job_id: JobId }),
  "number.restore_failed": of("number", "The carrier did not restore the number.", Numbered),
  "number.restored": of("number", "A quarantined number was restored with its routing.", Numbered),
  "number.restoring": of("number", "A restore was started.", { ...Numbered, job_id: JobId }),
  "number.resumed": of("number", "A suspended number receives calls again.", { ...Numbered, reason: Reason }),
  "number.suspended": of("number", "The operator suspended a number. It receives no calls.", {
    ...Numbered,
    reason: Reason,
  }),
  "order.action_required": of("order", "The carrier needs evidence for an order.", Evidence.waits),
  "order.completed": of("order", "An order finished with at least one number.", OrderData),
  "order.created": of("order", "An order was placed.", {
    job_id: JobId,
    quantity: count("Ordered numbers.", 1),
  }),
  "order.failed": of("order", "An order finished without a number.", OrderData),
  "order.requirements_submitted": of("order", "Evidence for an order was submitted.", Evidence.submitted),
  "organisation.changed": of("organisation", "A setting of the organisation changed.", {
    default_country: nullable(
      Type.String({
        maxLength: 2,
        examples: ["DE"],
        description: "New default country. `null` if there is none.",
      }),
    ),
  }),
  "organisation.created": of("organisation", "The organisation was created.", {
    name: Type.String({
      maxLength: 200,
      examples: ["Northwind Telecom"],
      description: "Name of the organisation.",
    }),
  }),
  "organisation.resumed": of("organisation", "The organisation is no longer suspended.", {}),
  "organisation.sign_in_policy_changed": of("organisation", "The sign-in policy changed.", SignInPolicyData),
  "organisation.suspended": of("organisation", "The operator suspended the organisation.", {
    numbers_suspended: Type.Boolean({ description: "Whether its live numbers are suspended too." }),
    reason: Reason,
  }),
  "problem.began": of(
    "problem",
    "A problem has lasted for a minute. Needs a notification rule.",
    ProblemData,
  ),
  "problem.ended": of("problem", "A problem has been gone for a minute.", ProblemEndedData),
  "probe.broken": of(
    "probe",
    "A probe found a broken link between carrier and destination.",
    BrokenProbeData,
  ),
  "probe.created": of("probe", "A user placed a probe.", ProbeData),
  "probe_schedule.deleted": of("probe schedule", "A probe schedule was deleted.", ProbedTagData),
  "probe_schedule.set": of("probe schedule", "A probe schedule was created or changed.", ProbeScheduleData),
  "reservation.cancelled": of("reservation", "A reservation was cancelled.", { numbers: E164List }),
  "reservation.created": of("reservation", "Numbers were reserved.", {
    numbers: E164List,
    expires_at: described(DateTime, "Time when the reservation expires."),
  }),
  "reservation.ordered": of("reservation", "The numbers of a reservation were ordered.", {
    numbers: E164List,
  }),
  "routing.changed": of("number", "The desired routing of a number changed.", {
    mode: openEnum(["unrouted", "sip_uri", "connection", "forward", "webhook"], "New routing mode."),
    generation: count("Revision number of the desired routing.", 1),
  }),
  "routing.drift_ended": of(
    "number",
    "A drift of a number's routing ended: the switch has held the right value for 10 minutes.",
    DriftEndedData,
  ),
  "routing.drifted": of("number", "A switch held another routing of a number than it should.", DriftData),
  "routing.failed": of("number", "A switch rejected the routing of a number.", FailedData),
  "routing.flapping": of(
    "number",
    "The routing of a number drifted for the third time on one switch.",
    DriftData,
  ),
  "routing_webhook_secret.rotated": of(
    "organisation",
    "The secret that signs routing requests was rotated.",
    {
      version: count("Version of the new secret.", 1),
    },
  ),
  "webhook_endpoint.changed": of(
    "webhook endpoint",
    "The settings of a webhook endpoint changed.",
    EndpointChangedData,
  ),
  "webhook_endpoint.created": of("webhook endpoint", "A webhook endpoint was created.", {
    url: url("URL of the endpoint."),
    event_types: eventTypes("Event types it receives. Empty means all."),
  }),
  "webhook_endpoint.deleted": of("webhook endpoint", "A webhook endpoint was deleted.", {}),
  "webhook_endpoint.disabled": of("webhook endpoint", "Deliveries to an endpoint stopped.", {
    reason: openEnum(["unreachable", "gone"], "`unreachable`: no success for days. `gone`: it returned 410."),
  }),
  "webhook_endpoint.replayed": of("webhook endpoint", "Deliveries were queued again.", {
    replayed: count("Queued deliveries."),
  }),
  "webhook_endpoint.secret_rotated": of("webhook endpoint", "The signing secret was rotated.", {}),
} as const satisfies Record<string, Described>;

export type EventType = keyof typeof EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/** Selectors of an endpoint: a type, or all types of a noun, such as "order.*". */
const SELECTORS: ReadonlySet<string> = new Set([
  ...EVENT_TYPES,
  ...EVENT_TYPES.map((type) => `${type.slice(0, type.indexOf("."))}.*`),
]);

export const isEventSelector = (text: string): boolean => SELECTORS.has(text);
