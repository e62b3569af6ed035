import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TrunkList } from "../trunk-list.ts";
import { gatewaysOf, gatewayUri, isGatewaySet } from "./trunk-rows.ts";

/** A line of the dispatcher's list. */
export interface DispatcherLine {
  set: number;
  uri: string;
  attributes: string;
}

/**
 * Gateways that the switch pings, as lines of the dispatcher's list. Two trunks can share an address, and a set
 * holds each address once.
 */
export function gatewayLines(list: TrunkList): DispatcherLine[] {
  const lines = gatewaysOf(list).flatMap((one) => {
    if (one.set === null) return [];
    const { host, port } = one.gateway;
    const attributes = `rweight=${one.weight};duid=${one.set}-${host}:${port};trunk=${one.trunk.name}`;
    return { set: one.set, uri: gatewayUri(one), attributes };
  });
  return lines.filter(
    ({ set, uri }, index) => lines.findIndex((other) => other.set === set && other.uri === uri) === index,
  );
}

export function readGatewayLines(dataDir: string): DispatcherLine[] {
  return linesIn(join(dataDir, GATEWAYS)).map((line) => {
    const [set, uri = "", , , attributes = ""] = line.split(" ");
    return { set: Number(set), uri, attributes };
  });
}

/** Saves the gateways for the agent, and replaces those of earlier settings in the dispatcher's list. */
export function storeGatewayLines(dataDir: string, gateways: readonly DispatcherLine[]): void {
  const lines = gateways.map(({ set, uri, attributes }) => `${set} ${uri} 0 0 ${attributes}`);
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
