import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryRoot } from "./repository-files.ts";

const run = promisify(execFile);
const CONTRACT = join(repositoryRoot, "openapi.json");
const TYPESCRIPT_5 = new URL("typescript-5.ts", import.meta.url).href;

/** A customer's project, with clients that other people's generators create from the contract. */
const project = mkdtempSync(join(tmpdir(), "dialplane-clients-"));

const COMPILER = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable"],
    module: "nodenext",
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  },
  include: ["."],
};

beforeAll(async () => {
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }');
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(COMPILER));
  const heyApi = programOf("@hey-api/openapi-ts", "run.mjs");
  await Promise.all([
    generate(programOf("openapi-typescript", "../bin/cli.js"), CONTRACT, "-o", "types.ts"),
    generate("--import", TYPESCRIPT_5, heyApi, "-i", CONTRACT, "-o", "client", "--no-log-file", "--silent"),
  ]);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

test("clients of two generators compile with code that uses them", async () => {
  writeFileSync(join(project, "uses-types.ts"), USES_TYPES);
  writeFileSync(join(project, "uses-client.ts"), USES_CLIENT);

  expect(await compile()).toEqual([]);
});

test("code that misuses them does not compile", async () => {
  writeFileSync(join(project, "uses-types.ts"), USES_TYPES.replace("data.generation", "data.quantity"));
  writeFileSync(join(project, "uses-client.ts"), USES_CLIENT.replace('"connection"', '"forward"'));

  expect(await compile()).toEqual([
    expect.stringMatching(/^uses-client\.ts.*error/),
    expect.stringMatching(/^uses-types\.ts.*error/),
  ]);
});

async function generate(...args: string[]): Promise<void> {
  await run(process.execPath, args, { cwd: project });
}

/** The compiler's errors, one line each. */
async function compile(): Promise<string[]> {
  const tsc = join(repositoryRoot, "node_modules/.bin/tsc");
  const { stdout } = await run(tsc, ["--pretty", "false"], { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.split("\n").filter((line) => /^\S.*error TS/.test(line));
}

/** A file of an installed package, relative to its main file. */
function programOf(name: string, file: string): string {
  return fileURLToPath(new URL(file, import.meta.resolve(name)));
}

const USES_TYPES = `
import type { operations, paths, webhooks } from "./types.ts";

type Listed = paths["/v1/numbers"]["get"]["responses"][200]["content"]["application/json"];
export function labelsOf(page: Listed): string[] {
  return page.data.map(({ label, e164 }) => label ?? e164);
}

type Set = operations["setRouting"]["requestBody"]["content"]["application/json"];
export const routing: Set = { mode: "forward", forward_to: "+493010000002" };

type Deliveries = {
  [Type in keyof webhooks]: webhooks[Type] extends {
    post: { requestBody: { content: { "application/json": infer Event } } };
  }
    ? Event
    : never;
};
export function generationOf(event: Deliveries[keyof Deliveries]): number | undefined {
  if (event.type !== "routing.changed") return undefined;
  const { data } = event;
  return data.generation;
}
`;

const USES_CLIENT = `
import { listNumbers, setRouting } from "./client/index.js";
import type { OnOrderCreatedWebhookRequest, OnRoutingChangedWebhookRequest } from "./client/index.js";

export async function moveFirst(connection_id: string): Promise<string | undefined> {
  const { data } = await listNumbers({ query: { tag: "berlin", limit: 1 } });
  const [number] = data?.data ?? [];
  if (!number) return undefined;
  const moved = await setRouting({
    path: { id: number.id },
    headers: { "Idempotency-Key": "sales-moves", Prefer: "wait=10" },
    body: { mode: "connection", connection_id },
  });
  return moved.data?.status;
}

type Delivery = (OnRoutingChangedWebhookRequest | OnOrderCreatedWebhookRequest)["body"];
export function textOf(event: Delivery): string {
  return event.type === "routing.changed"
    ? \`generation \${event.data.generation}\`
    : \`\${event.data.quantity} numbers\`;
}
`;
