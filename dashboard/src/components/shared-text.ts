/** Strings that several areas share. */
export const sharedText = {
  add: "Add",
  any: "Any",
  back: "Back",
  cancel: "Cancel",
  change: "Change",
  changes: "Changes",
  noChanges: "No changes yet.",
  becomes: "becomes",
  close: "Close",
  confirm: "Confirm",
  copied: "Copied",
  copy: (what: string) => `Copy ${what}`,
  create: "Create",
  done: "Done",
  loading: "Loading…",
  loadingRows: "Loading",
  name: "Name",
  nameRequired: "Enter a name.",
  neverUsed: "never used",
  optional: "Optional.",
  reason: "Reason",
  remove: "Remove",
  retry: "Retry",
  save: "Save",
  saveCsv: "Save as CSV",
  saveFailures: "Save failures as CSV",
  showMore: "Show more",
  signOut: "Sign out",
  used: "used",

  environment: "Environment",
  environments: {
    live: "Live",
    test: "Test",
  },
  otherEnvironment: "Check the organisation and the environment.",

  emailAddress: "Email address",
  emailRequired: "Enter your email address.",
  passkeyAdd: "Add passkey",
  authenticatorSetUp: "Set up authenticator app",

  numbers: "Numbers",
  orderNumbers: "Order numbers",
  country: "Country",
  numberType: "Type",
  label: "Label",
  tags: "Tags",
  countNumbers: (count: number) => (count === 1 ? "1 number" : `${count.toLocaleString()} numbers`),
  searchDigits: "Search by digits or label",

  anyFilter: (label: string) => `${label}: any`,
  oneFilter: (label: string, value: string) => `${label}: ${value}`,
  progress: (done: number, total: number) => `${done.toLocaleString()} of ${total.toLocaleString()}`,
  request: "Request",
  copyRequestId: "Copy request ID",
  shownOnce: "Copy it now. It is shown only once.",
  applying: "Applying to switches.",

  requestFailed: "Request failed",
  requestStatus: (status: number) => `The service returned status ${status}.`,
  unreachable: "Can't reach the service",
  unreachableDetail: "Your changes are not lost. Retry in a moment.",
  pageFailed: "This page failed",
} as const;

/** Display names of API values. Values without an entry are shown as they are. */
const WORDS: Record<string, string> = {
  sip_uri: "SIP URI",
  connection: "Connection",
  forward: "Forward",
  webhook: "Webhook",
  unrouted: "Not routed",
  in_sync: "In sync",
  pending: "Applying",
  failed: "Failing",
  drifted: "Drifted",
  unknown: "No report",
  refused: "Rejected",
  toll_free: "Toll-free",
  shared_cost: "Shared cost",
  voip: "VoIP",
  uan: "Universal access",
};

export function wordFor(value: string): string {
  const plain = value.replaceAll("_", " ");
  return WORDS[value] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}
