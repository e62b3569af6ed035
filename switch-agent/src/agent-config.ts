import { readFileSync } from "node:fs";
import { AGENT_SETTINGS } from "./agent-settings.ts";

/** Everything that can be set from outside. Read here and nowhere else, checked before anything starts. */
export interface AgentConfig {
  url: string;
  credential: string;
  storePath: string;
  driver: "simulated" | "kamailio";
  /** Path of the settings file of a real switch. */
  switchSettings: string | undefined;
  egressAllow: string;
  auditMs: number;
}

type SettingName = (typeof AGENT_SETTINGS)[number]["name"];
type Settings = Partial<Record<SettingName, string>>;

export class AgentConfigError extends Error {}

export function readAgentConfig(given: Settings = process.env): AgentConfig {
  const url = required(given, "DIALPLANE_URL").replace(/\/+$/, "");
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new AgentConfigError("DIALPLANE_URL must be an http(s) address.");
  if (url.startsWith("http:") && !isThisMachine(new URL(url).hostname))
    throw new AgentConfigError("DIALPLANE_URL must be https: the credential is sent there.");
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
    auditMs: 1_000 * secondsOf(given, "AUDIT_SECONDS"),
  };
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
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

function secondsOf(given: Settings, name: "AUDIT_SECONDS"): number {
  const text = given[name]?.trim() || AGENT_SETTINGS.find((one) => one.name === name)!.fallback;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new AgentConfigError(`${name} must be a number of seconds from 1 to 99999, not “${text}”.`);
}

function required(given: Settings, name: SettingName): string {
  const value = given[name]?.trim();
  if (value) return value;
  throw new AgentConfigError(`${name} is not set: ${AGENT_SETTINGS.find((one) => one.name === name)!.what}`);
}
