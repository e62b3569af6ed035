import { sharedText } from "../components/shared-text.ts";

export const connectionsText = {
  title: "Connections",
  about: "A connection is a SIP trunk. If you change its targets, all its numbers use the new targets.",
  none: "No connections yet",
  noneHint: "Add your PBX with its targets, then route numbers to it.",
  add: "Add connection",
  change: (name: string) => `Change ${name}`,
  changeTitle: (name: string) => `Change “${name}”`,
  conflict:
    "This connection was changed by another user. Your changes were not saved. Close this dialog and try again.",
  saved: (name: string) => `“${name}” saved`,
  maxCalls: "Maximum concurrent calls",
  maxCallsInvalid: "Enter a whole number, or nothing for no limit.",
  ringSecondsInvalid: "Enter whole seconds, or nothing for the default.",
  numberInvalid: "Enter a whole number.",
  portInvalid: "Enter 1 to 65535.",
  maxCallsHint: "Leave empty for no limit.",
  ringSeconds: "Ring time per target (seconds)",
  ringSecondsHint: "Then the next target is tried. Leave empty for the switch default.",
  sources: "Other networks",
  sourcesHint:
    "Networks from which your cluster may end calls, separated by commas. The targets are always accepted.",
  inUseBy: (count: number) =>
    count === 0
      ? "No numbers"
      : count === 1
        ? "1 number"
        : count >= 1000
          ? "1,000 or more numbers"
          : `${count} numbers`,
  callLimit: (calls: number) => `${calls} concurrent calls`,
  ringLimit: (seconds: number) => `${seconds} s per target`,
  targetsOf: (name: string) => `Targets of ${name}, in failover order`,
  targetDetails: (transport: string, priority: number, weight: number) =>
    `${transport}, priority ${priority}, weight ${weight}`,
  otherSources: "Calls may also end from",
  unreachable: (switches: string) =>
    `All targets are unreachable from ${switches}. Calls that arrive there are rejected.`,

  delete: "Delete",
  deleteOf: (name: string) => `Delete ${name}`,
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteConnection: "Delete connection",
  deleted: (name: string) => `“${name}” deleted`,
  deleteInUse: (count: number) =>
    `${sharedText.countNumbers(count)} still ${count === 1 ? "uses" : "use"} this connection. Reroute ${count === 1 ? "it" : "them"} first.`,
  deleteHint: "No number uses this connection. You cannot undo this.",

  targets: "Targets",
  addTarget: "Add target",
  removeTarget: (position: number) => `Remove target ${position}`,
  host: (position: number) => `Host ${position}`,
  hostExample: "pbx.example.com",
  hostRequired: "Enter a host name or an IP address.",
  port: "Port",
  transport: "Transport",
  transports: {
    udp: "UDP",
    tcp: "TCP",
    tls: "TLS",
  },
  priority: "Priority",
  weight: "Weight",
  priorityHint: "Lower priorities are tried first. Weights distribute calls within a priority.",

  health: (target: string) => `Health of ${target}`,
  notChecked: "Switches check this target when a number uses the connection.",
  states: {
    up: "Up",
    down: "Down",
    unknown: "Unknown",
  },
  onSwitches: (count: number, total: number) => `on ${count} of ${total} switches`,
  on: "on",
  unresolved: "host name does not resolve",
  changed: "changed",
  checked: "checked",
  neverChecked: "never checked",
} as const;
