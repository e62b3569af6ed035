import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { carrierOpenApi } from "./contract.carrier.ts";
import { CLIENT_CONTRACT, clientContract, OPERATOR_CLIENT_CONTRACT } from "./contract.client.ts";
import { databaseSchema } from "./contract.database.ts";
import {
  accessMarkdown,
  configurationMarkdown,
  errorsMarkdown,
  eventsMarkdown,
  limitsMarkdown,
} from "./contract.markdown.ts";
import { openApiOf } from "./contract.openapi.ts";
import { retentionMarkdown } from "./contract.retention.ts";
import type { Declaration } from "./contract.errors.ts";

export const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
export const CONTRACT = "openapi.json";
export const OPERATOR_CONTRACT = "openapi.operator.json";
export const SWITCH_CONTRACT = "openapi.switch.json";
const CARRIER_CONTRACT = "openapi.carrier.json";
/** What callers were last promised; only a release changes it. */
export const RELEASED_CONTRACT = "openapi.released.json";

/** Everything that is derived and committed, by its path in the repository. */
export async function generateFiles(operations: readonly Declaration[]): Promise<Map<string, string>> {
  const contract = openApiOf(operations, "callers");
  const ofOperator = openApiOf(operations, "operator");
  return new Map([
    [CONTRACT, json(contract)],
    [CLIENT_CONTRACT, clientContract(contract, CONTRACT)],
    [OPERATOR_CONTRACT, json(ofOperator)],
    [OPERATOR_CLIENT_CONTRACT, clientContract(ofOperator, OPERATOR_CONTRACT)],
    [SWITCH_CONTRACT, json(openApiOf(operations, "switches"))],
    [CARRIER_CONTRACT, json(carrierOpenApi())],
    ["docs/errors.md", errorsMarkdown()],
    ["docs/events.md", eventsMarkdown()],
    ["docs/configuration.md", configurationMarkdown()],
    ["docs/access.md", accessMarkdown(operations)],
    ["docs/limits.md", limitsMarkdown()],
    ["docs/retention.md", retentionMarkdown()],
    ["server/database/schema.sql", await databaseSchema()],
  ]);
}

/** Paths whose file is missing or says something else. */
export function listStale(root: string, files: ReadonlyMap<string, string>): string[] {
  return [...files].filter(([path, text]) => !isEqual(join(root, path), text)).map(([path]) => path);
}

export function writeFiles(root: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function isEqual(file: string, text: string): boolean {
  return existsSync(file) && readFileSync(file, "utf8") === text;
}

function json(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
