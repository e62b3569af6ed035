import { BOUNDED, GROWING, PERMANENT } from "../retention.tables.ts";

/** docs/retention.md: the list of tables, with the explanations around it. */
export function retentionMarkdown(): string {
  return [
    "<!-- Generated from server/src/retention.tables.ts by npm run generate; changes made here are lost. -->",
    "# Retention",
    "Every table that grows with time has an end. The worker deletes old rows every hour, in small batches, and drops whole partitions of calls and usage. The periods are defaults. Set them in [configuration.md](configuration.md).",
    table(
      ["Data", "Tables", "Kept", "Setting", "Then"],
      GROWING.map(({ what, tables, kept, settings = [], end }) => [
        what,
        code(tables),
        kept,
        code(settings),
        end,
      ]),
    ),
    "Backups keep what they contain until they expire themselves. During a [restore](backup-and-upgrade.md) nothing is deleted.",
    "## Kept without an end",
    "These tables follow purchases and rare acts of operators, not time or traffic:",
    table(
      ["Tables", "Reason"],
      PERMANENT.map(({ tables, reason }) => [code(tables), reason]),
    ),
    "All other tables have one row for each thing that is configured or held, and lose it with that thing: " +
      `${code(BOUNDED)}.`,
    "## Readers that are behind",
    READERS,
    "## Usage and bills",
    USAGE,
    "## Archive call records",
    ARCHIVE,
    "## Check",
    CHECK,
    "",
  ].join("\n\n");
}

const READERS = `\`GET /v1/events\` and \`GET /v1/audit/committed\` continue after the row that \`after\` names.

- If the row is stored, nothing behind it was deleted.
- If the row was the last one to be deleted, the reader has seen all deleted rows, and continues without a gap.
- If the row is older, the API returns 400 \`invalid_cursor\` with the code \`expired\` in \`errors[]\`. Rows that the reader has not seen may be deleted. Start without \`after\`, at the oldest stored row. \`dialplane audit export\` stops with this error and continues in a new file.

A reader that filters by type or subject can get this error when its last event is older than \`EVENTS_DAYS\`.

A [webhook endpoint](webhooks.md) that was disabled for longer than \`EVENTS_DAYS\` continues at the oldest stored event. Deliveries are deleted with their event, whatever their status.`;

const USAGE = `Bills depend on usage by the day, which is kept for \`USAGE_YEARS\`. Before a month of hours is dropped, its calls and seconds are compared with those of its days. If they differ, the month stays and the worker logs an error.

Usage that is stored by the day moves the edges of a window to full days of UTC. \`from\` and \`to\` show the used window, and \`exact\` is false. \`granularity=hour\` before that time returns 400. So read bills in another time zone than UTC within \`USAGE_HOURS_MONTHS\`.`;

const ARCHIVE = `If \`CALL_ARCHIVE\` names a folder, the worker writes each month of call records there before it drops the month. You can also write them yourself. This deletes nothing:

\`\`\`
dialplane-server archive calls --before 2026-01 --to /var/lib/dialplane/archive
dialplane-server archive verify /var/lib/dialplane/archive/calls-2025-12
\`\`\`

A month is a folder such as \`calls-2025-12\`, with a Parquet file for each day and a manifest. The files have all columns of the records and \`talk_seconds\`, but no callers. Times have microseconds. The manifest has the count of calls, the sum of seconds and the SHA-256 of each file, and the sums of the month.

The worker reads each file back and compares every value with the values it wrote, and the sums with the database. It drops the month only if all of them are equal and the files are unchanged. If the folder is missing, full or not writable, the month stays, the job \`call-records.keep-partitions\` fails and \`retention_lag_seconds\` grows.

An interrupted archive continues with the next day. A run of the worker takes four minutes at most, so a large month takes several hours. Files that the worker writes belong to its user. Keep the folder on storage that you back up.`;

const CHECK = `\`dialplane-server doctor\` fails if the oldest row of a large table is two days older than its settings allow. The metric \`retention_lag_seconds{table}\` shows the same in seconds.`;

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
