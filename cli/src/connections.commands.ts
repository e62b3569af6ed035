import type { Connection, ConnectionTarget } from "@dialplane/sdk";
import { command } from "./cli-command.ts";
import { findConnection } from "./routing-target.options.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import { toneOfHealth } from "./tones.ts";

export const CONNECTION_COMMANDS = [
  command({
    name: "connections list",
    summary: "List connections",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const client = await context.client();
      const connections = await several(context, options, (query) => client.connections.list(query));
      await context.output.list(connections, [
        { title: "id", of: ({ id }) => id },
        { title: "name", of: ({ name }) => name, isFlexible: true },
        { title: "targets", of: ({ targets }) => targets.length, isNumeric: true },
        { title: "health", of: healthInAll, tone: ({ targets }) => toneOfHealth(worstOf(targets)) },
        { title: "numbers", of: ({ in_use_by }) => in_use_by, isNumeric: true },
        { title: "max calls", of: ({ max_calls }) => max_calls, isHidden: true },
      ]);
    },
  }),
  command({
    name: "connections show",
    summary: "Show a connection, its targets and their health",
    args: ["connection"],
    examples: ["dialplane connections show 'Head office'"],
    async run({ context: { client: connect, output, terminal }, args: [named] }) {
      const connection = await findConnection(await connect(), named!);
      if (output.format === "json") return output.record(connection, []);
      const { name, id, in_use_by, max_calls } = connection;
      terminal.say(`${name}  ${id}\n${in_use_by} numbers, ${max_calls ?? "unlimited"} concurrent calls`);
      await output.list(connection.targets, [
        { title: "host", of: ({ host }) => host, isFlexible: true },
        { title: "port", of: ({ port }) => port, isNumeric: true },
        { title: "transport", of: ({ transport }) => transport },
        { title: "priority", of: ({ priority }) => priority, isNumeric: true },
        { title: "weight", of: ({ weight }) => weight, isNumeric: true },
        {
          title: "health",
          of: ({ health }) => health.state,
          tone: ({ health }) => toneOfHealth(health.state),
        },
      ]);
      const readings = connection.targets.flatMap(({ host, port, health }) =>
        health.switches.map((reading) => ({ target: `${host}:${port}`, ...reading })),
      );
      for (const { target, switch: by, state, addresses, checked_at } of readings)
        terminal.say(`${by}: ${target} ${state}${placesOf(addresses)}, ${ageOf(checked_at)}`);
    },
  }),
];

const STATES = ["down", "unknown", "up"];

function worstOf(targets: ConnectionTarget[]): string {
  return STATES.find((state) => targets.some(({ health }) => health.state === state)) ?? "unknown";
}

/** Such as "1 down, 2 up". */
function healthInAll({ targets }: Connection): string {
  const counts = STATES.map((state) => ({
    state,
    count: targets.filter(({ health }) => health.state === state).length,
  }));
  return counts.flatMap(({ state, count }) => (count > 0 ? [`${count} ${state}`] : [])).join(", ");
}

function placesOf(addresses: { address: string; state: string }[]): string {
  if (addresses.length === 0) return "";
  const places = addresses.map(({ address, state }) =>
    addresses.length > 1 ? `${address} ${state}` : address,
  );
  return ` (${places.join(", ")})`;
}

function ageOf(at: string | null): string {
  return at === null
    ? "no report yet"
    : `reported ${Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000))} s ago`;
}
