import type { CliScene, Stage } from "./cli-scene.ts";
import { REQUIREMENT_SCENES } from "./requirement-scenes.ts";
import { TRUNK_SCENES } from "./trunk-scenes.ts";

/** Routed numbers of the demo, without those that fail on purpose. */
const SALES = "+493010000001";
const SUPPORT = "+493010000002";
const WAREHOUSE = "+493010000003";
const PERSON = "member@lumen.example";
const DEVELOPER = "developer@northwind.example";
/** In the test environment, with the carrier that exists only there. */
const ORDERED = "+12125550150";
const TEST = ["-e", "test"];

interface WithId {
  id: string;
}
const firstId = async ({ ask }: Stage, ...argv: string[]): Promise<string> =>
  (await ask<WithId[]>(...argv))[0]!.id;
const firstOrganisation = (stage: Stage): Promise<string> =>
  firstId(stage, "operator", "organisations", "list");

/** One call of each command, in this order, on data that is the same every time. */
export const SCENES: CliScene[] = [
  { name: "whoami", args: () => [] },
  { name: "orgs list", args: () => [] },
  { name: "orgs show", args: () => [] },
  { name: "orgs set-country", args: () => ["de"] },
  { name: "overview", args: () => [] },
  { name: "numbers list", args: () => ["--search", "30100000", "--tag", "berlin", "--limit", "2"] },
  { name: "numbers show", args: () => [SALES] },
  { name: "numbers label", args: () => ["+493010000006", "Ring twice"] },
  { name: "numbers metadata", args: () => ["+493010000006", "site=berlin", "floor="] },
  { name: "numbers lock", args: () => ["+493010000007"] },
  { name: "numbers unlock", args: () => ["+493010000007"] },
  { name: "routing get", args: () => [SALES] },
  { name: "routing set", args: () => [SUPPORT, "--sip-uri", "sip:new@pbx.example.com", "--reason", "Moved"] },
  {
    name: "routing rollback",
    async args({ ask }) {
      await ask("routing", "set", WAREHOUSE, "--unrouted");
      return [WAREHOUSE, "2"];
    },
    isOnce: true,
  },
  { name: "routing history", args: () => [SALES] },
  { name: "numbers timeline", args: () => [SALES, "--kind", "set"] },
  {
    name: "operator probes set",
    args: async (stage) => [await firstOrganisation(stage), "500"],
    asOperator: true,
  },
  {
    name: "operator probes show",
    args: async (stage) => [await firstOrganisation(stage)],
    asOperator: true,
  },
  { name: "probes place", args: () => [SALES], isOnce: true },
  { name: "probes list", args: () => [SALES] },
  {
    name: "probes show",
    args: async (stage) => [await firstId(stage, "probes", "list", SALES)],
  },
  { name: "probes schedule", args: () => ["berlin", "--every-hours", "24"] },
  { name: "probes schedules", args: () => [] },
  { name: "probes unschedule", args: () => ["berlin"], isOnce: true },
  { name: "inventory search", args: () => TEST },
  {
    name: "order",
    args: () => ["--number", ORDERED, "--label", "New York", "--tag", "us", ...TEST],
    isOnce: true,
  },
  { name: "orders list", args: () => TEST },
  { name: "orders show", args: async (stage) => [await firstId(stage, "orders", "list", ...TEST), ...TEST] },
  { name: "jobs list", args: () => TEST },
  { name: "jobs show", args: async (stage) => [await firstId(stage, "jobs", "list", ...TEST), ...TEST] },
  { name: "jobs wait", args: async (stage) => [await firstId(stage, "jobs", "list", ...TEST), ...TEST] },
  { name: "events tail", args: () => ["--no-follow", "--type", "order.completed", ...TEST] },
  { name: "events trigger", args: () => ["routing.changed", ...TEST] },
  {
    name: "webhooks create",
    args: () => [
      "https://hooks.example.com/dialplane",
      "--type",
      "order.*",
      "--description",
      "Orders",
      ...TEST,
    ],
  },
  { name: "webhooks list", args: () => TEST },
  { name: "notifications list", args: () => [] },
  { name: "notifications set", args: () => ["number_failing", "--email", DEVELOPER, "--webhook", "on"] },
  {
    name: "webhooks update",
    args: async (stage) => [
      await firstId(stage, "webhooks", "list", ...TEST),
      "--status",
      "disabled",
      ...TEST,
    ],
  },
  {
    name: "webhooks deliveries",
    args: async (stage) => [await firstId(stage, "webhooks", "list", ...TEST), ...TEST],
  },
  {
    name: "webhooks replay",
    args: async (stage) => [await firstId(stage, "webhooks", "list", ...TEST), "--status", "failed", ...TEST],
  },
  {
    name: "webhooks delete",
    args: async (stage) => [await firstId(stage, "webhooks", "list", ...TEST), ...TEST],
    isOnce: true,
  },
  { name: "release", args: () => [ORDERED, ...TEST], isOnce: true },
  { name: "restore", args: () => [ORDERED, ...TEST], isOnce: true },
  ...REQUIREMENT_SCENES,
  { name: "connections list", args: () => [] },
  { name: "connections show", args: () => ["Head office"] },
  { name: "keys list", args: () => [] },
  { name: "usage", args: () => [SALES, "--from", "2026-10-01", "--to", "2026-10-03"] },
  { name: "usage top", args: () => ["--from", "2026-10-01", "--to", "2026-10-03"] },
  { name: "calls export", args: () => ["--number", SALES, "--from", "2026-10-01", "--to", "2026-10-03"] },
  { name: "audit list", args: () => ["--action", "number.changed", "--limit", "1"] },
  { name: "live", args: () => [SALES, "--once"] },
  { name: "bulk plan", args: () => [SALES, SUPPORT, "--add-tag", "vip", "--reason", "Known callers"] },
  { name: "bulk list", args: () => ["--limit", "1"] },
  { name: "bulk show", args: async (stage) => [await firstId(stage, "bulk", "list")] },
  { name: "bulk apply", args: async (stage) => [await firstId(stage, "bulk", "list")], isOnce: true },
  { name: "export", args: () => ["--search", SALES.slice(1)] },
  {
    name: "import",
    args: ({ file }) => [
      file(`number,label\r\n${SALES},"Sales, new"\r\n${SUPPORT},Support\r\n`),
      "--dry-run",
    ],
  },
  { name: "api", args: () => ["GET", "/v1/connections?limit=1"] },
  { name: "doctor", args: () => [] },
  { name: "operator overview", args: () => [], asOperator: true },
  { name: "operator organisations list", args: () => [], asOperator: true },
  {
    name: "operator organisations show",
    args: async (stage) => [await firstOrganisation(stage)],
    asOperator: true,
  },
  {
    name: "operator organisations create",
    args: () => ["Fabrikam", "ada@fabrikam.example"],
    asOperator: true,
  },
  { name: "operator probes caller", args: () => [], asOperator: true },
  { name: "operator switches list", args: () => [], asOperator: true },
  { name: "operator switches show", args: () => ["demo-1"], asOperator: true },
  { name: "operator switches exceptions", args: () => ["demo-1"], asOperator: true },
  { name: "operator switches create", args: () => ["spare-1"], asOperator: true, isOnce: true },
  { name: "operator switches rotate", args: () => ["spare-1"], asOperator: true, isOnce: true },
  { name: "operator switches drain", args: () => ["spare-1"], asOperator: true },
  { name: "operator switches activate", args: () => ["spare-1"], asOperator: true },
  { name: "operator switches retire", args: () => ["spare-1"], asOperator: true },
  {
    name: "operator carriers create",
    args: ({ file }) => [
      "telnyx-eu",
      "--kind",
      "telnyx",
      "--credentials",
      file('{"api_key": "KEY0198C5F27C1E7A33"}'),
      "--countries",
      "DE,AT",
      "--preference",
      "200",
      "--inventory",
      "off",
    ],
    asOperator: true,
    isOnce: true,
  },
  { name: "operator carriers list", args: () => [], asOperator: true },
  { name: "operator carriers get", args: () => ["telnyx-eu"], asOperator: true },
  {
    name: "operator carriers trunks",
    args: async ({ ask }) => {
      await ask("operator", "carriers", "create", "pool", "--kind", "pool");
      return ["pool"];
    },
    asOperator: true,
    isOnce: true,
  },
  {
    name: "operator carriers update",
    args: () => ["telnyx-eu", "--state", "closed"],
    asOperator: true,
  },
  { name: "operator reconcile", args: () => [], asOperator: true },
  { name: "operator reconciliations", args: () => ["--limit", "1"], asOperator: true },
  {
    name: "operator findings",
    args: async (stage) => [await firstId(stage, "operator", "reconciliations")],
    asOperator: true,
  },
  {
    name: "operator pool import",
    args: ({ file }) => [
      file("number,to,type\r\n030 902100,030 902104,\r\n+4930902110,,national\r\n"),
      "--country",
      "DE",
    ],
    asOperator: true,
    isOnce: true,
  },
  { name: "operator pool show", args: () => [], asOperator: true },
  {
    name: "operator pool list",
    args: () => ["--prefix", "+4930902", "--status", "free", "--limit", "2"],
    asOperator: true,
  },
  {
    name: "operator organisations suspend",
    args: async (stage) => [await firstOrganisation(stage), "--reason", "Key leaked"],
    asOperator: true,
  },
  {
    name: "operator organisations resume",
    args: async (stage) => [await firstOrganisation(stage)],
    asOperator: true,
  },
  {
    name: "operator forwarding set",
    args: async (stage) => [
      await firstOrganisation(stage),
      "--calls-at-once",
      "10",
      "--minutes-per-day",
      "1000",
      "--caller",
      "called",
    ],
    asOperator: true,
  },
  {
    name: "operator forwarding show",
    args: async (stage) => [await firstOrganisation(stage)],
    asOperator: true,
  },
  { name: "operator numbers show", args: () => [SALES], asOperator: true },
  { name: "operator numbers suspend", args: () => [SALES, "--reason", "fraud_suspected"], asOperator: true },
  { name: "operator numbers resume", args: () => [SALES], asOperator: true },
  { name: "operator audit list", args: () => ["--limit", "1", "--outcome", "done"], asOperator: true },
  { name: "operator notifications list", args: () => [], asOperator: true },
  { name: "operator notifications set", args: () => ["backlog", "--email", "none"], asOperator: true },
  { name: "operator users list", args: () => ["--limit", "1"], asOperator: true },
  { name: "operator users show", args: () => [PERSON], asOperator: true },
  { name: "operator users disable", args: () => [PERSON, "--reason", "Laptop stolen"], asOperator: true },
  { name: "operator users enable", args: () => [PERSON], asOperator: true },
  { name: "operator users end-sessions", args: () => [PERSON], asOperator: true },
  { name: "sign-in-policy show", args: () => [] },
  { name: "sign-in-policy set", args: () => ["--max-session-age", "720"] },
  { name: "members list", args: () => ["--limit", "1"] },
  { name: "members role", args: () => [DEVELOPER, "member"] },
  { name: "members remove", args: () => [DEVELOPER], isOnce: true },
  ...TRUNK_SCENES,
];

/**
 * They print nothing but messages, or forever; cli.test.ts has them, and npm-packages.test.ts the demo. The demo of the
 * scenes has no calls; calls.commands.test.ts has some.
 */
export const WITHOUT_ANSWER = [
  "documents download",
  "carrier test",
  "calls list",
  "calls show",
  "completion",
  "demo",
  "audit export",
  "audit verify",
  "operator audit export",
  "operator calls find",
  "operator calls show",
  "operator repair",
  "operator users remove-authenticator",

  "login",
  "logout",
  "orgs use",
  "keys revoke",
  "keys confirm",
  "keys create",
  "webhooks listen",
];
