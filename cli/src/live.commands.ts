import type { LiveNumber, PhoneNumber } from "@dialplane/sdk";
import type { Context } from "./cli-context.ts";
import { command } from "./cli-command.ts";
import { momentOf } from "./moments.ts";
import { findNumber } from "./named-numbers.ts";
import { type Column, tableOf } from "./table.ts";

/** Limit of numbers in one request. */
const MOST = 200;
const HOME_AND_CLEAR = "\u001B[H\u001B[J";
const OTHER_SCREEN = "\u001B[?1049h\u001B[?25l";
const FIRST_SCREEN = "\u001B[?25h\u001B[?1049l";
/** Title, table's title, and the line the cursor is on. */
const AROUND = 4;

interface Watched extends LiveNumber {
  e164: string;
  label: string | null;
}

const COLUMNS: readonly Column<Watched>[] = [
  { title: "number", of: ({ e164 }) => e164 },
  { title: "label", of: ({ label }) => label, isFlexible: true },
  {
    title: "active calls",
    heading: "calls",
    of: ({ active_calls }) => active_calls,
    tone: ({ active_calls }) => (active_calls > 0 ? "good" : "faint"),
    isNumeric: true,
  },
  { title: "last minute", of: ({ calls_last_minute }) => calls_last_minute, isNumeric: true },
  {
    title: "last call",
    of: ({ last_call_at }) => last_call_at,
    show: ({ last_call_at }) => momentOf(last_call_at),
  },
  {
    title: "switch",
    of: ({ switch_online }) => (switch_online ? "online" : "silent"),
    tone: ({ switch_online }) => (switch_online ? undefined : "bad"),
  },
];

export const LIVE_COMMANDS = [
  command({
    name: "live",
    group: "Usage",
    summary: "Watch active calls",
    args: ["numbers...?"],
    options: {
      once: { type: "boolean", summary: "print once and exit" },
      tag: { type: "string", value: "tag", summary: "tag of the numbers (200 numbers at most)" },
    },
    details:
      "Watches the first 200 numbers if you name none. A terminal shows a screen that updates until Ctrl-C. Other outputs get a line for each change.",
    examples: ["dialplane live +493010000001 +493010000002", "dialplane live --tag berlin --once --json"],
    async run({ context, args, options }) {
      const client = await context.client();
      const numbers = await watchedNumbers(context, args, options.tag);
      const known = new Map(numbers.map((number) => [number.id, number]));
      const named = (live: LiveNumber): Watched => {
        const { e164, label } = known.get(live.number_id)!;
        return { e164, label, ...live };
      };
      if (known.size === 0) return context.terminal.say("No numbers to watch.");
      if (options.once) {
        const { data } = await client.live.read([...known.keys()]);
        return context.output.list(data.map(named), COLUMNS);
      }
      const changes = client.live.follow([...known.keys()], { signal: context.signal });
      const isDrawn = context.terminal.isScreen && context.output.format === "table";
      await (isDrawn ? draw(context, changes, named) : print(context, changes, named));
    },
  }),
];

async function watchedNumbers(
  context: Context,
  args: string[],
  tag: string | undefined,
): Promise<PhoneNumber[]> {
  const client = await context.client();
  if (args.length > 0) return Promise.all(args.slice(0, MOST).map((named) => findNumber(client, named)));
  const numbers: PhoneNumber[] = [];
  for await (const number of client.numbers.list({ limit: 100, ...(tag ? { tag } : {}) }))
    if (numbers.push(number) === MOST) break;
  return numbers;
}

type Changes = AsyncIterable<{ as_of: string; data: LiveNumber[] }>;

async function print(
  { output }: Context,
  changes: Changes,
  named: (live: LiveNumber) => Watched,
): Promise<void> {
  for await (const { data } of changes)
    for (const number of data.map(named))
      await output.line(
        number,
        COLUMNS.map((column) => [column.title, column.of(number)] as const),
      );
}

/** Busy numbers first, as many as there are lines; the screen from before comes back at the end. */
async function draw(
  { terminal }: Context,
  changes: Changes,
  named: (live: LiveNumber) => Watched,
): Promise<void> {
  const newest = new Map<string, Watched>();
  await terminal.write(OTHER_SCREEN);
  try {
    for await (const { as_of, data } of changes) {
      for (const live of data) newest.set(live.number_id, named(live));
      const rows = [...newest.values()].sort(
        (one, other) => other.active_calls - one.active_calls || one.e164.localeCompare(other.e164),
      );
      const shown = rows.slice(0, Math.max(1, (process.stdout.rows || 24) - AROUND));
      const calls = rows.reduce((sum, { active_calls }) => sum + active_calls, 0);
      const title = `${calls} calls on ${rows.length} numbers, as of ${as_of.slice(11, 19)}Z (Ctrl-C to exit)`;
      const rest = rows.length > shown.length ? `and ${rows.length - shown.length} more` : "";
      await terminal.write(`${HOME_AND_CLEAR}${title}\n\n${tableOf(shown, COLUMNS, terminal)}${rest}`);
    }
  } finally {
    await terminal.write(FIRST_SCREEN);
  }
}
