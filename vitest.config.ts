import { defineConfig } from "vitest/config";
import { SlowFilesFirst } from "./tools/checks/src/slow-files-first.ts";

const workspaces = "{tools,switch-agent,sdk,cli,demo}";
const longTests = "**/*.long.test.ts";

/** `--mode long` runs the long tests alone; every other mode leaves them out. `--mode pooler` puts PgBouncer before PostgreSQL. */
export default defineConfig(({ mode }) => {
  const isLong = mode === "long";
  const testsUnder = (folder: string) => ({
    include: [isLong ? `${folder}/${longTests}` : `${folder}/**/*.test.ts`],
    exclude: ["**/node_modules/**", "**/dist/**", ...(isLong ? [] : [longTests])],
  });
  return {
    test: {
      globalSetup: "tools/packing/src/bundle-for-tests.ts",
      provide: { isLong, isPooled: mode === "pooler" },
      // Long tests measure: next to another they would measure that one too. The others wait for a fifth of their time.
      maxWorkers: isLong ? 1 : 4,
      pool: "forks",
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // Tests make garbage quickly: with V8's 1 MB for new objects, a tenth of their processor time goes into clearing it.
      execArgv: ["--min-semi-space-size=16"],
      sequence: { sequencer: SlowFilesFirst },
      // Guards against what never comes, and no measure of anything: a shared machine may be ten times slower than yesterday.
      testTimeout: isLong ? 600_000 : 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000 } },
      silent: isLong ? false : "passed-only",
      // Tests that share workers (isolate: false) load modules once, so no test may change the state of a module.
      projects: [
        {
          extends: true,
          test: {
            name: "server",
            isolate: false,
            ...testsUnder("server"),
            globalSetup: "server/testing/global-setup.ts",
          },
        },
        { extends: true, test: { name: "repository", isolate: false, ...testsUnder(workspaces) } },
        {
          extends: true,
          test: {
            name: "dashboard",
            isolate: false,
            ...testsUnder("dashboard/tests"),
            globalSetup: ["server/testing/global-setup.ts", "dashboard/tests/build-dashboard.ts"],
          },
        },
        // Switches answer in time only if the machine is not overcrowded.
        {
          extends: true,
          test: {
            name: "system",
            maxWorkers: isLong ? 1 : 3,
            sequence: { groupOrder: 1 },
            ...testsUnder("system-tests"),
          },
        },
      ],
    },
  };
});
