/** Texts about the carriers of the installation. */
export const carriersText = {
  title: "Carriers",
  none: "No carriers connected here",
  noneHint:
    "The settings ORDERING and INVENTORY choose the carrier. A carrier that you connect replaces them.",
  connect: "Connect a carrier",
  connectAction: "Connect",
  connected: (name: string) => `${name} connected`,
  kind: "Kind",
  kinds: {
    pool: "Pool: your own numbers",
    telnyx: "Telnyx",
    didww: "DIDWW",
    http: "Server with the carrier protocol",
  },
  nameHint: "Stored with each number. It cannot be changed.",
  credential: { telnyx: "API key", didww: "API key", http: "Secret" },
  credentialRequired: {
    telnyx: "Enter the API key.",
    didww: "Enter the API key.",
    http: "Enter the secret.",
  },
  credentialStored: (kind: "telnyx" | "didww" | "http", end: string | null) => {
    const name = { telnyx: "key", didww: "key", http: "secret" }[kind];
    return end
      ? `The stored ${name} ends with ${end}. Leave empty to keep it.`
      : `Leave empty to keep the stored ${name}.`;
  },
  url: "URL",
  urlHint: {
    telnyx: "Leave empty for the public API. A new URL needs the key again.",
    didww: "Leave empty for the public API. A new URL needs the key again.",
    http: "For example https://carrier.example/dialplane. A new URL needs the secret again.",
  },
  countries: "Countries",
  countriesHint: "Choose none for all countries.",
  countryAdd: "Add a country…",
  types: "Number types",
  typesHint: "Choose none for all types.",
  typeAdd: "Add a type…",
  preference: "Preference",
  preferenceHint: "The carrier with the lowest value gets the order.",
  preferenceInvalid: "Enter a whole number from 0 to 1,000,000.",
  inventory: "Clients can search and reserve its numbers",
  trunks: "Trunks",
  trunksOf: (name: string) => `Trunks of ${name}`,
  trunksHint: "The carrier sends the calls of each switch group's numbers to this trunk.",
  noTrunk: "Do not deliver",
  noTrunks: "This carrier has no trunks to choose from.",
  repairs: "Repair numbers that the carrier delivers elsewhere",
  repairsHint: "Otherwise reconciliation lists them, and you repair each one.",
  edit: "Edit",
  editOf: (name: string) => `Edit ${name}`,
  saved: (name: string) => `${name} saved`,
  serves: (countries: readonly string[], types: readonly string[]) =>
    [countries.join(", ") || "All countries", types.join(", ")].filter(Boolean).join(" · "),
  rank: (preference: number) => `Preference ${preference.toLocaleString()}`,
  states: { open: "Open", draining: "Draining", closed: "Closed" },
  confirmAction: (verb: string) => `${verb} carrier`,
  actions: {
    open: {
      verb: "Open",
      done: (name: string) => `${name} is open`,
      hint: "It takes new orders again.",
    },
    draining: {
      verb: "Drain",
      done: (name: string) => `${name} is draining`,
      hint: "It takes no new orders. Orders in progress and releases continue.",
    },
    closed: {
      verb: "Close",
      done: (name: string) => `${name} closed`,
      hint: "It is never called. A carrier with numbers or unfinished orders cannot be closed.",
    },
  },
};
