import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ForwardGateway, Gateway, SwitchSettings, Trunk } from "./switch-settings.ts";

/** A gateway for forwarded calls, with its trunk. `set` is its dispatcher set, and null if it is not pinged. */
export interface ForwardTrunk extends Omit<ForwardGateway, "trunk"> {
  trunk: Trunk;
  gateway: Gateway;
  set: number | null;
}

/** IDs of connections' sets count from 1 and stay far below. */
const FIRST_GATEWAY_SET = 1_000_000_001;

/** Gateways by priority. A single `gateway` is never pinged: some carriers ignore OPTIONS. */
export function gatewaysOf({ forward, trunks }: SwitchSettings): ForwardTrunk[] {
  if (forward === null) return [];
  const listed: ForwardGateway[] = forward.gateways ?? [
    { trunk: forward.gateway!, priority: 1, weight: 1, ping: false },
  ];
  const priorities = [...new Set(listed.map(({ priority }) => priority))].sort((a, b) => a - b);
  return listed
    .toSorted((one, other) => one.priority - other.priority)
    .map(({ trunk: name, ...how }) => {
      const trunk = trunks.find((one) => one.name === name)!;
      const set = how.ping ? FIRST_GATEWAY_SET + priorities.indexOf(how.priority) : null;
      return { ...how, trunk, gateway: trunk.gateway!, set };
    });
}

/** URI of a gateway in the dispatcher. */
export const gatewayUri = ({ trunk, gateway }: ForwardTrunk): string =>
  `sip:${gateway.host}:${gateway.port};transport=${trunk.transport}`;

/**
 * Gateways that the switch pings, as lines of the dispatcher's list. Two trunks can share an address, and a set
 * holds each address once.
 */
export function gatewayLines(settings: SwitchSettings): string[] {
  const lines = gatewaysOf(settings).flatMap((one) => {
    if (one.set === null) return [];
    const { host, port } = one.gateway;
    return `${one.set} ${gatewayUri(one)} 0 0 rweight=${one.weight};duid=${one.set}-${host}:${port};trunk=${one.trunk.name}`;
  });
  const keyOf = (line: string): string => line.split(" ", 2).join(" ");
  return lines.filter((line, index) => lines.findIndex((other) => keyOf(other) === keyOf(line)) === index);
}

/** Whether the switch's settings own a set, rather than a connection. */
export const isGatewaySet = (set: number): boolean => set >= FIRST_GATEWAY_SET;

/** A line of the dispatcher's list. */
export interface DispatcherLine {
  set: number;
  uri: string;
  attributes: string;
}

export function readGatewayLines(dataDir: string): DispatcherLine[] {
  return linesIn(join(dataDir, GATEWAYS)).map((line) => {
    const [set, uri = "", , , attributes = ""] = line.split(" ");
    return { set: Number(set), uri, attributes };
  });
}

/** Saves the gateways for the agent, and replaces those of earlier settings in the dispatcher's list. */
export function storeGatewayLines(dataDir: string, lines: string[]): void {
  writeWhole(join(dataDir, GATEWAYS), lines);
  const isOfConnection = (line: string): boolean => !isGatewaySet(Number.parseInt(line, 10));
  const list = join(dataDir, DISPATCHER_LIST);
  writeWhole(list, [...linesIn(list).filter(isOfConnection), ...lines]);
}

/** Writes the connections' lines with those of the gateways. */
export function storeConnectionLines(dataDir: string, lines: string[]): void {
  writeWhole(join(dataDir, DISPATCHER_LIST), [...lines, ...linesIn(join(dataDir, GATEWAYS))]);
}

const GATEWAYS = "gateways.list";
const DISPATCHER_LIST = "dispatcher.list";

function linesIn(path: string): string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function writeWhole(path: string, lines: string[]): void {
  const text = lines.map((line) => `${line}\n`).join("");
  // The agent and the start of the switch may write at the same time.
  const whole = `${path}.${process.pid}.new`;
  writeFileSync(whole, text, { flush: true, mode: 0o600 });
  renameSync(whole, path);
}
