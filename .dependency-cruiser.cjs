// Imports point one way: main → api, worker → people, switching → numbers → events → platform.
// tools/checks/src/imports.ts runs these rules, and first makes sure that every file was read.

/** Areas of the server, and the other areas that each may import. */
const ALLOWED_AREAS = {
  people: ["numbers", "events"],
  numbers: ["events"],
  switching: ["numbers", "events"],
  events: [],
};
const feature = "^server/src/(?:people|numbers(?!/carriers)|switching|events)/([^/]+)/";
const carriers = "^server/src/numbers/carriers/";
const carrier = `${carriers}([^/]+)/`;
const database = "^server/src/platform/db/";
const jobs = "^server/src/platform/jobs(/|\\.ts$)";
const test = "\\.test\\.tsx?$|/testing/";

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    forbid(
      "no-cycles",
      "Files that import each other cannot be read or tested apart.",
      {},
      { circular: true },
    ),
    forbid(
      "every-import-resolves",
      "An import nobody can follow is an import no rule sees.",
      {},
      { couldNotResolve: true },
    ),

    forbid(
      "platform-knows-no-telephony",
      "platform/ is what any service needs. Its tests may start ours.",
      { path: "^server/src/platform/", pathNot: test },
      { path: "^server/src/", pathNot: "^server/src/platform/" },
    ),
    ...Object.entries(ALLOWED_AREAS).map(([area, allowed]) =>
      forbid(
        `${area}-imports-${allowed.join("-and-") || "no-area"}`,
        `AREA.md of ${area} gives the reason.`,
        { path: `^server/src/${area}/`, pathNot: test },
        {
          path: "^server/src/(people|numbers|switching|events)/",
          pathNot: `^server/src/(${[area, ...allowed].join("|")})/`,
        },
      ),
    ),
    forbid(
      "carriers-know-no-feature",
      "Features call carriers, and not the other way round.",
      { path: carriers, pathNot: test },
      { path: "^server/src/", pathNot: [carriers, "^server/src/platform/"] },
    ),
    forbid(
      "features-know-no-entry-point",
      "Programs are wired from above: main, api and worker import features.",
      { path: feature, pathNot: test },
      { path: "^server/src/(main|api|worker|generate)\\.ts$" },
    ),

    forbid(
      "feature-front-door-only",
      "Another feature's inside may change on any day; its front door is the file named like its folder.",
      { path: feature, pathNot: "/testing/" },
      { path: feature, pathNot: ["^server/src/[a-z]+/$1/", "^server/src/[a-z]+/([^/]+)/\\1\\.ts$"] },
    ),
    forbid(
      "carrier-interface-only",
      "Who buys a number does not know from which company: only the interface is visible.",
      { path: "^server/src/(people|numbers(?!/carriers)|switching|events|platform)/", pathNot: test },
      { path: "^server/src/numbers/carriers/", pathNot: "^server/src/numbers/carriers/carrier\\.ts$" },
    ),
    forbid(
      "carriers-are-strangers",
      "One company's adapter never leans on another's.",
      { path: carrier },
      { path: carrier, pathNot: [`${carriers}$1/`, `${carriers}testing/`] },
    ),
    forbid(
      "carrier-front-door-only",
      "The wiring imports an adapter by the file named like its folder.",
      { path: "^server/src/[^/]+\\.ts$" },
      { path: carrier, pathNot: [`${carriers}([^/]+)/\\1\\.ts$`, `${carriers}testing/`] },
    ),

    forbid(
      "routes-never-touch-sql",
      "HTTP calls the front door, which opens the transaction.",
      { path: "\\.routes\\.ts$" },
      { path: ["\\.store\\.ts$", database] },
    ),
    forbid(
      "store-is-a-leaf",
      "SQL knows the database and its own feature's rules and shapes, and decides nothing.",
      { path: "^server/src/(?:people|numbers(?:/carriers)?|switching|events)/([^/]+)/.+\\.store\\.ts$" },
      {
        // access.ts is vocabulary: the names of roles and scopes, as they also stand in the tables.
        pathNot: [
          database,
          "^server/src/platform/http/access\\.ts$",
          "^server/src/(?:people|numbers(?:/carriers)?|switching|events)/$1/[^/]+\\.(rules|schema|store)\\.ts$",
        ],
        dependencyTypesNot: ["core"],
      },
    ),
    forbid(
      "rules-are-pure",
      "A decision that reads no clock, database or network can be tested as a table.",
      { path: "\\.rules\\.ts$" },
      { pathNot: ["\\.rules\\.ts$"], dependencyTypesNot: ["type-only"] },
    ),

    forbid(
      "only-platform-db-knows-pg",
      "Every query goes through a door that says whose rows it sees.",
      { path: "^server/", pathNot: [database, "/testing/"] },
      { path: "node_modules/(@types/)?(pg|pg-cursor|pg-native|pg-pool|pg-query-stream|postgres)/" },
    ),
    forbid(
      "only-platform-jobs-knows-the-queue",
      "Jobs are enqueued in the caller's transaction; the queue's own client cannot promise that.",
      { path: "^server/", pathNot: jobs },
      { path: "node_modules/pg-boss/" },
    ),
    forbid(
      "testing-stays-out-of-production",
      "What only tests need must not ship.",
      {
        pathNot: [test, "^(tools|dashboard/tests|system-tests)/", "^[^/]+\\.config\\.ts$"],
      },
      {
        path: [test, "node_modules/(vitest|fast-check)/"],
      },
    ),

    forbid(
      "nobody-imports-the-server",
      "Clients speak the contract: server → openapi.json → sdk → cli, dashboard.",
      { pathNot: "^(server|demo|tools|dashboard/tests)/" },
      { path: "^server/" },
    ),
    forbid(
      "sdk-stands-alone",
      "Whoever installs it gets nothing else; it runs in browsers too.",
      { path: "^sdk/src/", pathNot: test },
      { pathNot: "^sdk/src/" },
    ),
    forbid(
      "server-knows-the-agent-by-its-front-door",
      "The worker runs the agent's loop for test numbers, and needs nothing else of any other workspace; tests open the SDK's browser and find programs as it does.",
      { path: "^server/" },
      {
        path: "^(sdk|cli|dashboard|switch-agent|demo|tools|system-tests)/",
        pathNot: [
          "^switch-agent/src/switch-agent\\.ts$",
          "^sdk/src/testing/(open-browser|program-path)\\.ts$",
        ],
      },
    ),
    forbid(
      "sdk-by-its-name",
      "Clients import the SDK as customers do.",
      { path: "^(cli|demo|dashboard)/", pathNot: [test, "^dashboard/tests/"] },
      { path: "^sdk/", pathNot: "^sdk/src/generated/", dependencyTypes: ["local"] },
    ),
    forbid(
      "agent-stands-alone",
      "The agent must run beside a switch when everything else is down.",
      { path: "^switch-agent/" },
      { path: "^(sdk|cli|dashboard|demo|tools|system-tests)/" },
    ),
    forbid(
      "system-tests-import-no-program",
      "They speak HTTP and SIP, as a customer does.",
      { path: "^system-tests/" },
      { path: "^(server|switch-agent|cli|dashboard|demo)/" },
    ),
  ],
  options: {
    // TypeScript 7 has no JavaScript interface: with the default parser zero files are read and nothing is found.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // Only our own build output: half of npm, pg-boss among it, lives in a folder called dist.
    exclude: { path: "^[^/.]+/dist/" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js", ".cjs", ".mjs", ".json", ".d.ts"],
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
