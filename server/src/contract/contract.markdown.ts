import { AGENT_SETTINGS } from "@dialplane/switch-agent";
import { CODES_PER_DAY } from "../people/sign-ins/sign-ins.ts";
import { MOST_PER_ORGANISATION } from "../people/api-keys/api-keys.ts";
import { RESERVED_NUMBERS } from "../numbers/reservations/reservations.ts";
import { type Setting, SETTINGS } from "../settings.ts";
import { EVENT_TYPES, EVENTS, type EventType } from "../events/events/events.catalogue.ts";
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
    "Settings are environment variables, read once at startup. If a setting is missing or invalid, the program exits and names the setting and the reason.",
    "The switch has its own settings file, described in [kamailio.md](kamailio.md). [cli.md](cli.md#signing-in) lists the environment variables of the CLI. [self-hosting.md](self-hosting.md) shows where to set each of them on a production machine.",
    "## Service",
    settingsTable(SETTINGS),
    "## Agent",
    "One agent runs next to each switch. [switches.md](switches.md) describes how to set it up.",
    settingsTable(AGENT_SETTINGS),
    "## Node.js",
    "Both are Node.js programs. To trust your own certificate authority, set `NODE_EXTRA_CA_CERTS` to a file with its certificates.",
  ]);
}

/** Every event type with the fields of its `data`, grouped by noun. */
export function eventsMarkdown(): string {
  const byNoun = Map.groupBy(EVENT_TYPES, (type) => type.slice(0, type.indexOf(".")));
  const chapters = [...byNoun].map(([noun, types]) =>
    [`## ${noun}.*`, ...types.map((type) => eventSection(type))].join("\n\n"),
  );
  return page("server/src/events/events/events.catalogue.ts", [
    "# Event types",
    "Every event has `id`, `sequence`, `type`, `subject`, `data` and `created_at`. [Webhooks](webhooks.md) deliver them with `organisation_id` and `environment`. The fields of `data` depend on `type`. New types and fields may be added, so ignore those you do not know.",
    "The API reference has the same schemas as OpenAPI `webhooks`. The [SDK](sdk.md) has them as TypeScript types.",
    ...chapters,
  ]);
}

function eventSection(type: EventType): string {
  const { when, subject, data } = EVENTS[type];
  const fields = Object.entries(data as Record<string, { description?: string }>).map(
    ([name, { description = "" }]) => [`\`${name}\``, description],
  );
  return [
    `### ${type}`,
    `${when} \`subject\` is the ID of the ${subject}.`,
    fields.length > 0 ? table(["Field of `data`", "Meaning"], fields) : "`data` is empty.",
  ].join("\n\n");
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
      of: "one organisation, or one credential if the request has no organisation",
      setting: "LIMIT_REQUESTS_PER_SECOND",
      allowance: limits.requests("any"),
    },
    { of: "the same, for changes only", setting: "LIMIT_WRITES_PER_SECOND", allowance: limits.writes("any") },
    {
      of: "one IP address (IPv6: one /64 network)",
      setting: "LIMIT_FLOOD_PER_SECOND",
      allowance: limits.flood("192.0.2.1"),
    },
  ] as const;
  return page("server/src/config.ts", [
    "# Limits",
    "These are the defaults. Your operator can change them, and responses show the current values in `RateLimit-Policy` and `RateLimit`. Responses do not show limits per account or recipient, because other callers share them. Over a limit, the API returns 429 `rate_limited` with `Retry-After`.",
    "## Rate limits",
    "Each API process counts these in memory. Limits per organisation are divided by `REPLICAS`, so that all processes together allow about the listed rate. The limit per IP address applies to each process.",
    table(
      ["Policy", "Applies to", "Per second", "Burst", "Setting"],
      perReplica.map(({ of, setting, allowance }) => [
        `\`${allowance.policy}\``,
        of,
        settingDefault(setting),
        String(allowance.quota),
        `\`${setting}\``,
      ]),
    ),
    "The burst is the number of requests allowed at once after idle time. `LIMIT_REQUEST_BURST` sets it for `requests`. For the others, it is twice the rate.",
    "The database counts the following limits exactly, across all processes. `LIMIT_SIGN_INS_PER_MINUTE` sets the limits of sign-ins, password resets and email changes. `LIMIT_ORDERS_PER_SECOND` and `LIMIT_ORDERED_NUMBERS_PER_DAY` set those of orders.",
    table(["Policy", "Applies to", "Maximum"], exactLimits()),
    "Successful sign-ins do not count. For IPv6, an address is a /64 network.",
    "## Quotas",
    table(
      ["Resource", "Maximum", "Error"],
      [
        ["Active API keys per organisation", String(MOST_PER_ORGANISATION), "409 `api_key_limit_reached`"],
        [
          "Concurrent CSV exports and waiting requests (`Prefer: wait`) per organisation and process",
          String(MOST_WAITING),
          "429 `rate_limited`, policy `tables`",
        ],
      ],
    ),
    "## Sizes",
    table(["Item", "Limit"], sizes()),
  ]);
}

function exactLimits(): string[][] {
  const most = settingDefault("LIMIT_SIGN_INS_PER_MINUTE");
  return [
    ["`sign_in_address`", "failed sign-ins from one address", `${most} a minute`],
    ["`sign_in_account`", "failed sign-ins to one account", `${most} a minute`],
    ["`sign_in_code`", "wrong codes of one user", `${most} a minute`],
    ["`sign_in_user_code`", "wrong tool codes entered by one user", `${most} a minute`],
    ["`device_address`", "device sign-ins started from one address", `${most} a minute`],
    ["`reset_address`", "password resets requested from one address", `${most} a minute`],
    ["`reset_account`", "password resets requested for one account", `${most} an hour`],
    ["`email_change_person`", "email changes requested by one user", `${most} an hour`],
    ["`email_change_recipient`", "confirmation emails to one address", `${most} an hour`],
    ["`sign_in_code_day`", "wrong codes of one user", `${CODES_PER_DAY} a day`],
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
      "numbers reserved by one organisation in one environment",
      `${RESERVED_NUMBERS.perWindow} in ${RESERVED_NUMBERS.windowSeconds / 60} minutes`,
    ],
  ];
}

function sizes(): string[][] {
  const { minimum, maximum, default: fallback } = PageQuery.limit as unknown as Record<string, number>;
  return [
    ["Request body", ERRORS.body_too_large.remedy],
    ["JSON", ERRORS.invalid_json.remedy],
    ["Idempotency-Key", ERRORS.idempotency_key_invalid.remedy],
    ["Results per page", `${minimum} to ${maximum} (default: ${fallback}).`],
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
