import { AGENT_SETTINGS } from "@dialplane/switch-agent";
import { CODES_PER_DAY } from "../people/sign-ins/sign-ins.ts";
import { MOST_PER_ORGANISATION } from "../people/api-keys/api-keys.ts";
import { RESERVED_NUMBERS } from "../numbers/reservations/reservations.ts";
import { type Setting, SETTINGS } from "../settings.ts";
import { ERRORS } from "../platform/error-catalogue.ts";
import { type Access, ROLES, SCOPES } from "../platform/http/access.ts";
import { PageQuery } from "../platform/http/shapes.ts";
import { MOST_WAITING, openLimits } from "../platform/limits/limits.ts";
import { accessSentence, ROLE_MEANINGS, SCOPE_MEANINGS } from "./contract.access.ts";
import type { Declaration } from "./contract.errors.ts";

/** The catalogue of errors, grouped by status. */
export function errorsMarkdown(): string {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status);
  const chapters = [...byStatus]
    .sort(([one], [other]) => one - other)
    .map(([status, entries]) => {
      const sections = entries.map(([code, { title, retryable, remedy }]) =>
        [`### ${code}`, `**${sentence(title)}** ${remedy}`, `Retryable: ${retryable ? "yes" : "no"}.`].join(
          "\n\n",
        ),
      );
      return [`## ${status}`, ...sections].join("\n\n");
    });
  return page("server/src/platform/error-catalogue.ts", [
    "# Errors",
    "Every error is a problem document (RFC 9457) with one of these codes in `code`. Branch on the code: titles and details are for people and may change. An installation serves the same list at `/docs/errors`.",
    ...chapters,
  ]);
}

/**
 * Values are in HTML code tags: in backticks a default such as a folder would look like a path of this
 * repository.
 */
export function configurationMarkdown(): string {
  return page("{server/src/settings,switch-agent/src/agent-settings}.ts", [
    "# Configuration",
    "Settings are environment variables, read once at the start. A setting that is missing or makes no sense stops the program with a sentence that says which and why.",
    "The switch itself has a file of settings, described in [kamailio.md](kamailio.md); what the command line takes from its surroundings stands in [cli.md](cli.md#signing-in). Where each of them goes on a real machine: [self-hosting.md](self-hosting.md).",
    "## The service",
    settingsTable(SETTINGS),
    "## The agent",
    "Beside each switch; how it is set up is told in [switches.md](switches.md).",
    settingsTable(AGENT_SETTINGS),
    "## Of Node itself",
    "Both are Node programs: `NODE_EXTRA_CA_CERTS` names a file with certificates to believe beside the usual ones, for an authority of your own.",
  ]);
}

function settingsTable(settings: readonly Setting[]): string {
  const rows = settings.map(({ name, what, ...setting }) => [`\`${name}\``, defaultOf(setting), what]);
  return table(["Setting", "Default", "Meaning"], rows);
}

export function accessMarkdown(operations: readonly Declaration[]): string {
  return page("server/src/operations.ts", [
    "# Who may call what",
    "Each operation declares its callers next to its route. The server enforces the declaration, the contract describes it and the tests check it.",
    "## Roles",
    "A user has one role in each organisation.",
    table(
      ["Role", "Meaning"],
      ROLES.map((role) => [`\`${role}\``, ROLE_MEANINGS[role]]),
    ),
    "## Scopes",
    "A key has a set of scopes, chosen when it is created.",
    table(
      ["Scope", "Meaning"],
      SCOPES.map((scope) => [`\`${scope}\``, SCOPE_MEANINGS[scope]]),
    ),
    "## Switches",
    "The agent of a switch sends the credential of that switch, `svc_switch_…`, which the operator sees once, when the switch is registered. It is valid only under `/switch/v1`, where sessions and API keys are not accepted: other credentials get 401. A switch reads only the desired state of its own group and reports only for itself. A retired switch gets 403 `switch_retired`.",
    "## Operations",
    table(
      ["Operation", "Name", "Who may call", "Idempotency-Key"],
      operations.map(({ method, path, id, access, idempotency }) => [
        `\`${method} ${path}\``,
        id,
        accessSentence(access),
        idempotency === "none" ? "–" : idempotency,
      ]),
    ),
    "## At a glance",
    "Operations within an organisation. The table above can restrict them further. Key: an API key with the right scope.",
    table(
      ["Operation", ...ROLES, "key"],
      operations.flatMap(({ id, access }) =>
        access.callers === "organisation" ? [[id, ...marksOf(access)]] : [],
      ),
    ),
  ]);
}

/** Default limits, read from the limiter. */
export function limitsMarkdown(): string {
  const limits = openLimits(
    {
      replicas: Number(settingDefault("REPLICAS")),
      requestsPerSecond: Number(settingDefault("LIMIT_REQUESTS_PER_SECOND")),
      requestBurst: Number(settingDefault("LIMIT_REQUEST_BURST")),
      writesPerSecond: Number(settingDefault("LIMIT_WRITES_PER_SECOND")),
      floodPerSecond: Number(settingDefault("LIMIT_FLOOD_PER_SECOND")),
    },
    { now: () => new Date(0) },
  );
  const perReplica = [
    {
      of: "one organisation, or one credential where no organisation is involved",
      setting: "LIMIT_REQUESTS_PER_SECOND",
      allowance: limits.requests("any"),
    },
    { of: "the same, changes only", setting: "LIMIT_WRITES_PER_SECOND", allowance: limits.writes("any") },
    {
      of: "one address (IPv6: one /64), whoever it is",
      setting: "LIMIT_FLOOD_PER_SECOND",
      allowance: limits.flood("192.0.2.1"),
    },
  ] as const;
  return page("server/src/config.ts", [
    "# Limits",
    "Defaults; an installation may set others, which its responses show in `RateLimit-Policy` and `RateLimit`. Limits of an account or a recipient are not shown, because other callers use them up too. Beyond a limit the answer is 429 `rate_limited` with `Retry-After`.",
    "## Rates",
    "Counted in the memory of each API process. The limits of organisations are divided by `REPLICAS`, so that together the processes allow about what is written here; the limit per address is each process's own.",
    table(
      ["Policy", "Of", "Per second", "At once", "Setting"],
      perReplica.map(({ of, setting, allowance }) => [
        `\`${allowance.policy}\``,
        of,
        settingDefault(setting),
        String(allowance.quota),
        `\`${setting}\``,
      ]),
    ),
    "At once: what may come in one moment after a pause. For `requests` it is `LIMIT_REQUEST_BURST`, for the others twice the rate.",
    "Counted in the database, exactly, over all processes; `LIMIT_SIGN_INS_PER_MINUTE` sets those of signing in by the minute, of resets and of changed addresses, `LIMIT_ORDERS_PER_SECOND` and `LIMIT_ORDERED_NUMBERS_PER_DAY` those of orders:",
    table(["Policy", "Of", "At most"], exactLimits()),
    "A sign-in that succeeds is not counted. An address is again one /64 with IPv6.",
    "## Numbers of things",
    table(
      ["What", "Limit", "Beyond it"],
      [
        ["Active API keys of one organisation", String(MOST_PER_ORGANISATION), "409 `api_key_limit_reached`"],
        [
          "Tables (CSV) that one organisation reads at once from one process, together with those who wait for an answer",
          String(MOST_WAITING),
          "429 `rate_limited`, policy `tables`",
        ],
      ],
    ),
    "## Sizes",
    table(["What", "Limit"], sizes()),
  ]);
}

function exactLimits(): string[][] {
  const most = settingDefault("LIMIT_SIGN_INS_PER_MINUTE");
  return [
    ["`sign_in_address`", "failed sign-ins from one address", `${most} a minute`],
    ["`sign_in_account`", "failed sign-ins to one account", `${most} a minute`],
    ["`sign_in_code`", "wrong codes of one person", `${most} a minute`],
    ["`sign_in_user_code`", "wrong codes of tools typed by one person", `${most} a minute`],
    ["`device_address`", "tools without a browser that ask from one address", `${most} a minute`],
    ["`reset_address`", "password resets asked for from one address", `${most} a minute`],
    ["`reset_account`", "password resets asked for one account", `${most} an hour`],
    ["`email_change_person`", "new e-mail addresses asked for by one person", `${most} an hour`],
    [
      "`email_change_recipient`",
      "mails that ask one address whether it is somebody's new one",
      `${most} an hour`,
    ],
    ["`sign_in_code_day`", "wrong codes of one person", `${CODES_PER_DAY} a day`],
    [
      "`orders`",
      "orders of one organisation in one environment",
      `${settingDefault("LIMIT_ORDERS_PER_SECOND")} a second`,
    ],
    [
      "`ordered_numbers`",
      "numbers ordered by one organisation in one environment",
      `${settingDefault("LIMIT_ORDERED_NUMBERS_PER_DAY")} a day`,
    ],
    [
      `\`${RESERVED_NUMBERS.name}\``,
      "numbers that one organisation asks to reserve in one environment",
      `${RESERVED_NUMBERS.perWindow} in ${RESERVED_NUMBERS.windowSeconds / 60} minutes`,
    ],
  ];
}

function sizes(): string[][] {
  const { minimum, maximum, default: fallback } = PageQuery.limit as unknown as Record<string, number>;
  return [
    ["Body of a request", ERRORS.body_too_large.remedy],
    ["JSON", ERRORS.invalid_json.remedy],
    ["Idempotency-Key", ERRORS.idempotency_key_invalid.remedy],
    ["Entries of one page", `${minimum} to ${maximum}; ${fallback} when \`limit\` is left out.`],
  ];
}

function marksOf(access: Extract<Access, { callers: "organisation" }>): string[] {
  const { sessions, keys } = access;
  const mark = (isAllowed: boolean): string => (isAllowed ? "●" : "");
  return [
    ...ROLES.map((role) =>
      mark(sessions !== "none" && (sessions.roles === "any" || sessions.roles.includes(role))),
    ),
    mark(keys !== "none"),
  ];
}

type SettingName = (typeof SETTINGS)[number]["name"];

function settingDefault(wanted: SettingName): string {
  return (SETTINGS.find(({ name }) => name === wanted) as { fallback?: string }).fallback!;
}

function defaultOf({ fallback }: { fallback?: string }): string {
  if (fallback === undefined) return "**required**";
  return fallback === ""
    ? "none"
    : `<code>${fallback.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</code>`;
}

function sentence(title: string): string {
  return title.endsWith("?") ? title : `${title}.`;
}

function page(source: string, blocks: string[]): string {
  const notice = `<!-- Generated from ${source} by npm run generate; changes made here are lost. -->`;
  return `${[notice, ...blocks].join("\n\n")}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
