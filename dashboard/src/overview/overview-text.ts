const numbers = (count: number): string => (count === 1 ? "1 number" : `${count.toLocaleString()} numbers`);
const range = (low: string, high: string): string => (low === high ? low : `${low}–${high}`);

export const overviewText = {
  title: "Overview",
  allGood: (total: number) =>
    total === 1 ? "Your number goes where it should" : `All ${numbers(total)} go where they should`,
  noNumbers: "No numbers yet",
  noNumbersHint: "Order or import numbers. This page then shows whether their calls go where they should.",
  affected: (problems: number, affected: number, total: number) =>
    `${problems === 1 ? "1 problem affects" : `${problems.toLocaleString()} problems affect`} ${affected.toLocaleString()} of ${numbers(total)}`,
  problemsOnly: (problems: number) =>
    problems === 1 ? "1 problem" : `${problems.toLocaleString()} problems`,
  affectedOnly: (affected: number, total: number, isUnknown: boolean) =>
    isUnknown
      ? `${affected.toLocaleString()} of ${numbers(total)} without a report`
      : `${affected.toLocaleString()} of ${numbers(total)} do not go where they should`,
  applying: (pending: number, total: number) => `Applying ${pending.toLocaleString()} of ${numbers(total)}`,
  good: (count: number) =>
    count === 1 ? "1 number goes where it should" : `${numbers(count)} go where they should`,
  readBack: (reporting: number, switches: number) =>
    `read back from ${reporting} of ${switches === 1 ? "1 switch" : `${switches} switches`}`,
  noSwitches: "No switch serves your numbers yet.",
  incomplete: "More than 2,000 numbers deviate. Some are counted under “No report”.",

  states: {
    in_sync: "In sync",
    pending: "Applying",
    unreachable: "Unreachable",
    failed: "Failed",
    drifted: "Drifting",
    unknown: "No report",
    unrouted: "Not routed on purpose",
  },
  stateCount: (state: string, count: number) => `${state}: ${numbers(count)}`,

  problems: "Problems",
  longestFirst: (count: number) => (count === 1 ? "1" : `${count}, longest first`),
  noProblems: "No problems.",
  since: (time: string) => `since ${time}`,
  callsFailed: (count: number) => (count === 1 ? "1 call failed" : `${count.toLocaleString()} calls failed`),
  numbers,
  kinds: {
    number_failing: (on: string) => `cannot be applied on ${on}`,
    number_drifting: (on: string) => `drifted on ${on}`,
    number_flapping: (on: string) => `keeps drifting on ${on}`,
    connection_failing: (on: string) => `cannot be applied on ${on}`,
    connection_drifting: (on: string) => `drifted on ${on}`,
    connection_unreachable: (on: string) => `is unreachable from ${on}`,
    webhook_endpoint_disabled: () => "was disabled, because it does not accept events",
    order_failed: () => "failed",
    switch_silent: () => "has stopped reporting",
  } as Record<string, (on: string) => string>,
  subjects: {
    connection: "Connection",
    webhook_endpoint: "Webhook endpoint",
    order: "Order",
    switch: "Switch",
    number: "Number",
  } as Record<string, string>,
  many: {
    number_failing: (count: string) => `${count} numbers cannot be applied`,
    number_drifting: (count: string) => `${count} numbers drifted`,
    number_flapping: (count: string) => `${count} numbers keep drifting`,
    connection_failing: (count: string) => `${count} connections cannot be applied`,
    connection_drifting: (count: string) => `${count} connections drifted`,
    connection_unreachable: (count: string) => `${count} connections are unreachable`,
    webhook_endpoint_disabled: (count: string) => `${count} webhook endpoints were disabled`,
    order_failed: (count: string) => `${count} orders failed`,
    switch_silent: (count: string) => `${count} switches have stopped reporting`,
  } as Record<string, (count: string) => string>,
  counted: (count: number) => (count >= 500 ? "500 or more" : String(count)),
  someSwitches: "several switches",
  found: "Found",
  foundNothing: "no route",
  repaired: (times: number) => (times === 1 ? "repaired once." : `repaired ${times.toLocaleString()} times.`),
  otherWriter: "Something else writes to this switch.",
  silentHint: "Its numbers are not confirmed until it reports again. Calls continue.",
  actions: {
    number: "Open number",
    connection: "Open connections",
    webhook_endpoint: "Open endpoint",
    order: "Open job",
    switch: "Show its numbers",
    numbers: "Show numbers",
  },

  callsToday: "Calls today",
  today: "Today",
  usual: "Usual",
  usualOf: "Usual, last 4 weeks",
  figures: {
    active: "In progress",
    last_10_minutes: "Last 10 min",
    answered: "Answered",
    today: "Calls",
  },
  usualRange: (low: string, high: string) => `usual ${range(low, high)}`,
  percent: (share: number) => `${Math.round(100 * share)} %`,
  chart: "Calls per 10 minutes today",
  chartUsual: "Calls per 10 minutes today, with the usual range",
  utcDay: "Days are UTC days.",
  tableOf: "Calls per hour (UTC)",
  hour: "Hour",

  recentChanges: "Recent changes",
  noChanges: "No changes yet.",
  auditLog: "Audit log",

  switches: "Switches and connections",
  countSwitches: (count: number) => (count === 1 ? "1 switch" : `${count} switches`),
  countConnections: (count: number) => (count === 1 ? "1 connection" : `${count} connections`),
  switchStates: {
    reporting: "Reporting",
    joining: "Joining",
    draining: "Draining",
    silent: "No report",
  } as Record<string, string>,
  report: "Report",
  activeCalls: (count: number) => (count === 1 ? "1 call" : `${count.toLocaleString()} calls`),
  targetsUp: (up: number, total: number) => `${up} of ${total === 1 ? "1 target" : `${total} targets`} up`,
  notChecked: "Not checked",
  unused: "No numbers",
} as const;
