import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoService, startDemo } from "../../../sdk/src/testing/demo-service.ts";
import { programPath } from "../../../sdk/src/testing/program-path.ts";
import { openBrowser } from "../../../dashboard/tests/visit.ts";
import { REPOSITORY } from "../src/site-pages.ts";
import { ELSEWHERE, NOT_RUN, ON_ONES_OWN, ON_THE_DEMO, SESSION } from "./snippet-courses.ts";
import { answersIn, sessionOf, sessionScript, shapeOf, type ShownStep } from "./shown-session.ts";
import { BEGINNING, type Course, listSnippets, scriptOf, type Snippet, snippetsOf } from "./snippets.ts";

const MINUTE = 60_000;
const snippets = listSnippets(REPOSITORY);
const isElsewhere = ({ page, language }: Snippet): boolean => ELSEWHERE[page]?.language === language;
const isExcepted = ({ page, code }: Snippet): boolean =>
  NOT_RUN.some((one) => one.page === page && code.startsWith(one.begins));
const runOf = (page: string): Snippet[] =>
  snippets.filter((one) => one.page === page && !isElsewhere(one) && !isExcepted(one));

/** A folder that looks like the repository, and can be written to. */
const folder = mkdtempSync(join(tmpdir(), "dialplane-snippets-"));
const stack = new AsyncDisposableStack();
const running = new Set<number>();
let scripts = 0;
let demo: DemoService;

beforeAll(async () => {
  for (const entry of readdirSync(REPOSITORY))
    if (!entry.startsWith(".")) symlinkSync(join(REPOSITORY, entry), join(folder, entry));
  mkdirSync(join(folder, "home"));
  mkdirSync(join(folder, "installed"));
  // The command line starts a hundred times, as a bundle in a third of the processor time.
  const started = `#!/bin/sh\nexec "${process.execPath}" "${programPath("cli/src/dialplane.ts")}" "$@"\n`;
  writeFileSync(join(folder, "installed/dialplane"), started, { mode: 0o755 });
  demo = stack.use(await startDemo());
  writeFileSync(join(folder, "demo.json"), `${JSON.stringify(demo)}\n`);
}, 3 * MINUTE);
afterAll(async () => {
  for (const group of running) end(group);
  await stack.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
}, MINUTE);

test("every snippet is run, here or elsewhere, or it is said why not", () => {
  const pages = new Set([...ON_THE_DEMO.keys(), ...ON_ONES_OWN.keys()]);
  const pagesThere = new Set(snippets.map(({ page }) => page));
  const forgotten = snippets.filter((one) => !isElsewhere(one) && !isExcepted(one) && !pages.has(one.page));
  expect(forgotten.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  expect([...pages].filter((page) => runOf(page).length === 0)).toEqual([]);
  for (const { page, begins } of NOT_RUN)
    expect(
      snippets.filter((one) => one.page === page && one.code.startsWith(begins)),
      page,
    ).toHaveLength(1);
  for (const [page, { by }] of Object.entries(ELSEWHERE).filter(([page]) => pagesThere.has(page)))
    expect(readFileSync(join(REPOSITORY, by), "utf8")).toContain(`"${page}"`);
});

test("names a failed snippet, also one whose request is rejected", { timeout: MINUTE }, async () => {
  const page = ["```sh", "true", "```", "", "```sh", 'curl -s "$API/v1/gone" | cat', "```"].join("\n");
  const planted = snippetsOf("planted.md", page);
  expect(planted).toHaveLength(2);
  await expect(runScript(scriptOf(planted, {} satisfies Course), {})).rejects.toThrow(
    "planted.md:5 ended with 22",
  );
});

test("a page follows its numbers with the lines of docs/live.md", { timeout: 2 * MINUTE }, async () => {
  const [{ code }] = snippets.filter(({ page }) => page === "docs/live.md") as [Snippet];
  await using browser = await openBrowser();
  const page = await browser.newPage();
  await page.goto(`${demo.base_url}/docs`);
  const followed = await page.evaluate(`(async () => {
    const credential = { email: "owner@northwind.example", password: "correct horse battery staple" };
    const headers = { "content-type": "application/json" };
    await fetch("/v1/sessions", { method: "POST", headers, body: JSON.stringify(credential) });
    const ids = (await (await fetch("/v1/numbers?limit=2")).json()).data.map(({ id }) => id);
    ${code}
    await new Promise((heard) => source.addEventListener("live", heard));
    source.close();
    return ids.map((id) => numbers.get(id).active_calls);
  })()`);
  expect(followed).toEqual([0, 0]);
});

// Both wait most of the time; one next to the other they take half of it.
test.concurrent("sets up a service as the pages describe", { timeout: 5 * MINUTE }, async () => {
  const script = [...ON_ONES_OWN].map(([page, course]) => scriptOf(runOf(page), course)).join("\n");
  const port = await freePort();
  await runScript(script, {
    OWN_DATABASE: await startDatabase(),
    OWN_ADDRESS: `http://127.0.0.1:${port}`,
    PORT: String(port),
    METRICS_PORT: "0",
    DIALPLANE_MODE: "development",
    LOG_LEVEL: "error",
    MAIL_DIRECTORY: join(folder, "mail"),
    ANNOUNCE_DRAIN_SECONDS: "0",
  });
});

test.concurrent("what the pages show works on the demo", { timeout: 8 * MINUTE }, async () => {
  // Runs first, before other snippets change the numbers that it shows.
  await holdSession(SESSION);
  for (const [page, course] of ON_THE_DEMO) await runScript(scriptOf(runOf(page), course), {});
});

/** Fails for output in the tutorial that a real run does not print. */
async function holdSession({ page, without, course }: typeof SESSION): Promise<void> {
  const steps = sessionOf(join(REPOSITORY, page), without);
  expect(steps.length).toBeGreaterThan(12);
  const [preparation] = snippets.filter((one) => one.page === page && one.code.includes("demo.json"));
  const typed: Snippet = { page, line: steps[0]!.line, language: "sh", code: sessionScript(steps) };
  const answers = answersIn(await runScript(scriptOf([preparation!, typed], course), {}));
  const told = ({ line, answer }: ShownStep, given = answer) => `${page}:${line}\n${shapeOf(given)}`;
  expect(steps.map((step) => told(step, answers.get(step.line)))).toEqual(steps.map((step) => told(step)));
}

/** Runs in a separate process group, which ends with it. */
async function runScript(script: string, more: Record<string, string>): Promise<string> {
  const file = join(folder, `snippets-${++scripts}.sh`);
  writeFileSync(file, `${BEGINNING}\n${script}\n`);
  const child = spawn("bash", [file], {
    cwd: folder,
    env: { ...environment(), ...more },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  running.add(child.pid!);
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await once(child, "exit")) as [number | null];
  end(child.pid!);
  const [answered, complained] = await printed;
  if (status !== 0) throw new Error(`${answered}\n${complained}`.slice(-3_000));
  return answered;
}

/** All that is left of a script: programs it has started in the background. */
function end(group: number): void {
  running.delete(group);
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Nothing was left.
  }
}

function environment(): Record<string, string> {
  const [{ sessions, keys, numbers }] = demo.organisations as [DemoService["organisations"][0]];
  const installed = join(folder, "installed");
  const programs = [
    installed,
    dirname(process.execPath),
    join(REPOSITORY, "node_modules/.bin"),
    "/usr/bin",
    "/bin",
  ];
  return {
    PATH: programs.join(":"),
    HOME: join(folder, "home"),
    LANG: "C.UTF-8",
    // The first of many programs compiles for all.
    NODE_COMPILE_CACHE: join(folder, "compiled"),
    API: demo.base_url,
    KEY: keys.full,
    TEST_KEY: keys.test_full,
    OWNER: sessions.owner,
    OPERATOR: demo.operator.session,
    NUMBER: numbers[1]!.id,
    DIALPLANE_URL: demo.base_url,
    DIALPLANE_API_KEY: sessions.owner,
  };
}

/** An empty PostgreSQL, which ends with its input. */
async function startDatabase(): Promise<string> {
  const program = programPath("server/testing/cluster-process.ts");
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  stack.defer(async () => {
    child.stdin.end();
    await ended;
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return line;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
