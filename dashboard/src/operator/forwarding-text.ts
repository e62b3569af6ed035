const count = (value: number): string => value.toLocaleString();

export const forwardingText = {
  title: "Forwarding limits",
  about: "Switches count calls and minutes from midnight UTC. A call adds its minutes when it ends.",
  noneTitle: "No limits set",
  none: "This organisation can forward any number of calls. Switches begin to count them when you set limits.",
  set: "Set limits",
  change: "Change limits",

  callsNow: "Concurrent calls",
  callsToday: "Calls today",
  minutesToday: "Minutes today",
  count,
  of: (use: number, limit: number) => `${count(use)} of ${count(limit)}`,
  ofLimit: (limit: number) => `of ${count(limit)}`,
  noLimit: "No limit",
  noneAllowed: "No calls allowed",
  reached: "Limit reached",
  used: (percent: number) => `${percent} % used`,

  callerId: "Caller ID",
  callers: { pass: "Original caller", called: "Called number", fixed: "Fixed number" },
  identity: "Identity header",
  identities: { keep: "Kept", drop: "Dropped" },
  changed: "Changed",

  switches: "Parts of the switches",
  switchesAbout:
    "Each switch enforces its part alone. A switch without contact keeps its part until it is back or you retire it.",
  columns: {
    switch: "Switch",
    status: "Status",
    lastChange: "Last change",
  },
  applied: "Applied",
  pending: "Applying",
  never: "never",

  dialogTitle: (name: string) => `Forwarding limits of ${name}`,
  dialogAbout: "Switches apply the limits within seconds. Calls in progress continue.",
  callsAtOnce: "Concurrent calls",
  callsPerDay: "Calls per day",
  minutesPerDay: "Minutes per day",
  noLimitOf: (limit: string) => `No limit: ${limit}`,
  limitHint: "0 rejects all forwarded calls. Calls and minutes count per UTC day.",
  limitInvalid: (most: number) => `Enter a whole number from 0 to ${count(most)}, or choose no limit.`,
  callerHints: {
    pass: "The gateway gets the caller ID of the original caller.",
    called: "The gateway gets the number that was called.",
    fixed: "The gateway gets this number for all forwarded calls.",
  },
  number: "Phone number",
  numberExample: "+49 30 901820",
  numberInvalid: "Enter a number with country code, such as +49 30 901820.",
  keepIdentity: "Keep the Identity header (STIR/SHAKEN)",
  keepIdentityHint: "The gateway gets the header that the original caller's carrier signed.",
  identityDropped: "Another caller ID invalidates the header, so switches remove it.",
  willRejectAll: "The organisation cannot forward any call.",
  willRejectToday:
    "Today's use has reached the limit. Switches reject further forwarded calls until midnight UTC.",
  saved: "Forwarding limits saved",
  savedDetail: "Switches are applying them.",
} as const;
