import { readFileSync } from "node:fs";

/** Everything that can be set from outside. Read here and nowhere else, checked before anything starts. */
export interface AgentConfig {
  url: string;
  credential: string;
  storePath: string;
  driver: "simulated" | "kamailio";
  /** Of a real switch: the file its operator describes it in. */
  switchSettings: string | undefined;
  egressAllow: string;
}

/** The documented list. */
const AGENT_SETTINGS = [
  { name: "DIALPLANE_URL", what: "Address of the service, as callers use it." },
  { name: "SWITCH_CREDENTIAL", what: "This switch's credential, as shown once when the switch was added." },
  {
    name: "SWITCH_CREDENTIAL_FILE",
    what: "A file that holds the credential instead, so that it is in no environment.",
  },
  {
    name: "STORE_PATH",
    what: "File that keeps what this switch was told; on a disk that survives restarts.",
  },
  { name: "DRIVER", what: "Kind of switch: `simulated` or `kamailio`." },
  { name: "SWITCH_SETTINGS", what: "File that describes the switch on this machine; for `kamailio`." },
  {
    name: "EGRESS_ALLOW",
    what: "Addresses beside the public ones that customers' names may lead to, as for the service.",
  },
] as const;

type SettingName = (typeof AGENT_SETTINGS)[number]["name"];
type Settings = Partial<Record<SettingName, string>>;

export class AgentConfigError extends Error {}

export function readAgentConfig(given: Settings = process.env): AgentConfig {
  const url = required(given, "DIALPLANE_URL").replace(/\/+$/, "");
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new AgentConfigError("DIALPLANE_URL must be an http(s) address.");
  const driver = given.DRIVER?.trim() || "simulated";
  if (driver !== "simulated" && driver !== "kamailio")
    throw new AgentConfigError(`DRIVER must be simulated or kamailio, not “${driver}”.`);
  return {
    url,
    credential: credentialOf(given),
    storePath: required(given, "STORE_PATH"),
    driver,
    switchSettings: driver === "kamailio" ? required(given, "SWITCH_SETTINGS") : undefined,
    egressAllow: given.EGRESS_ALLOW?.trim() ?? "",
  };
}

function credentialOf(given: Settings): string {
  const path = given.SWITCH_CREDENTIAL_FILE?.trim();
  if (!path) return required(given, "SWITCH_CREDENTIAL");
  if (given.SWITCH_CREDENTIAL)
    throw new AgentConfigError("Set SWITCH_CREDENTIAL or SWITCH_CREDENTIAL_FILE, not both.");
  try {
    const credential = readFileSync(path, "utf8").trim();
    if (credential) return credential;
  } catch {
    throw new AgentConfigError("SWITCH_CREDENTIAL_FILE cannot be read.");
  }
  throw new AgentConfigError("SWITCH_CREDENTIAL_FILE is empty.");
}

function required(given: Settings, name: SettingName): string {
  const value = given[name]?.trim();
  if (value) return value;
  throw new AgentConfigError(`${name} is not set: ${AGENT_SETTINGS.find((one) => one.name === name)!.what}`);
}
