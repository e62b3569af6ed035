/** Every setting of the agent; docs/configuration.md is generated from this list, agent-config.ts reads and checks the values. */
export const AGENT_SETTINGS = [
  {
    name: "DIALPLANE_URL",
    what: "Address of the service, as callers use it: https, unless it is on this machine.",
  },
  {
    name: "SWITCH_CREDENTIAL",
    what: "This switch's credential, as shown once when the switch was added. Required, unless it is in a file.",
    fallback: "",
  },
  {
    name: "SWITCH_CREDENTIAL_FILE",
    what: "A file that holds the credential instead, so that it is in no environment.",
    fallback: "",
  },
  {
    name: "STORE_PATH",
    what: "File that keeps what this switch was told; on a disk that survives restarts.",
  },
  { name: "DRIVER", what: "Kind of switch: `simulated` or `kamailio`.", fallback: "simulated" },
  {
    name: "SWITCH_SETTINGS",
    what: "File that describes the switch on this machine; required for `kamailio`.",
    fallback: "",
  },
  {
    name: "EGRESS_ALLOW",
    what: "Where calls may go beyond public addresses, by a customer's name or address, as for the service; checked again here, so give the same.",
    fallback: "",
  },
  {
    name: "AUDIT_SECONDS",
    what: "How often the agent compares everything that the switch holds with what it should hold, at most. The time between two comparisons varies between half of this and all of it.",
    fallback: "60",
  },
] as const;
