/** Every setting of the agent; docs/configuration.md is generated from this list, agent-config.ts reads and checks the values. */
export const AGENT_SETTINGS = [
  {
    name: "DIALPLANE_URL",
    what: "URL of the service. https, unless the service is on this machine.",
  },
  {
    name: "SWITCH_CREDENTIAL",
    what: "This switch's credential, as shown once when the switch was added. Required, unless it is in a file.",
    fallback: "",
  },
  {
    name: "SWITCH_CREDENTIAL_FILE",
    what: "File with the credential, instead of an environment variable.",
    fallback: "",
  },
  {
    name: "STORE_PATH",
    what: "File that stores the desired state of this switch, on a disk that survives restarts.",
  },
  { name: "DRIVER", what: "Kind of switch: `simulated` or `kamailio`.", fallback: "simulated" },
  {
    name: "SWITCH_SETTINGS",
    what: "File with the settings of the switch on this machine. Required for `kamailio`.",
    fallback: "",
  },
  {
    name: "EGRESS_ALLOW",
    what: "Where calls may go beyond public addresses, by a customer's name or address, as for the service; checked again here, so give the same.",
    fallback: "",
  },
  {
    name: "AUDIT_SECONDS",
    what: "Maximum time between two audits, which compare the switch with its desired state. The time between two audits varies between half of this and all of it.",
    fallback: "60",
  },
] as const;
