/** Nouns of actions whose subject is another resource. */
const TYPES: Readonly<Record<string, string>> = {
  member: "user",
  operator: "user",
  password: "user",
  email_address: "user",
  authenticator: "user",
  recovery_codes: "user",
  notifications: "organisation",
  routing: "number",
  routing_webhook_secret: "organisation",
  feed: "epoch",
  carrier: "reconciliation",
};

/** Type of the resource that an action or event affects. */
export function subjectTypeOf(action: string): string {
  const noun = action.slice(0, action.indexOf("."));
  return TYPES[noun] ?? noun;
}

/** Name of the resource in the data of the event itself, as it was then. */
export function recordedLabel(data: Readonly<Record<string, unknown>>): string | null {
  const label = data["e164"] ?? data["name"];
  return typeof label === "string" ? label : null;
}
