/** How the service's words are said to people. Words it learns later are shown as they come. */
const WORDS: Record<string, string> = {
  sip_uri: "SIP address",
  connection: "Connection",
  forward: "Forward",
  webhook: "Webhook",
  unrouted: "Not routed",
  in_sync: "In sync",
  pending: "Applying",
  failed: "Failing",
  drifted: "Drifted",
  unknown: "Not heard of",
  toll_free: "Toll-free",
  shared_cost: "Shared cost",
  voip: "VoIP",
  uan: "Universal access",
};

export function wordFor(value: string): string {
  const plain = value.replaceAll("_", " ");
  return WORDS[value] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function dayOf(at: string): string {
  return DAY.format(new Date(at));
}

export function momentOf(at: string): string {
  return MOMENT.format(new Date(at));
}
