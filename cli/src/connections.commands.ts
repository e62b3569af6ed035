import { command } from "./cli-command.ts";
import { findConnection } from "./routing-target.options.ts";
import { LIST_OPTIONS, several } from "./several.ts";

export const CONNECTION_COMMANDS = [
  command({
    name: "connections list",
    summary: "trunks that numbers can point at",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const client = await context.client();
      const connections = await several(context, options, (query) => client.connections.list(query));
      await context.output.list(connections, [
        { title: "id", of: ({ id }) => id },
        { title: "name", of: ({ name }) => name, isFlexible: true },
        { title: "targets", of: ({ targets }) => targets.length, isNumeric: true },
        { title: "numbers", of: ({ in_use_by }) => in_use_by, isNumeric: true },
        { title: "max calls", of: ({ max_calls }) => max_calls, isHidden: true },
      ]);
    },
  }),
  command({
    name: "connections show",
    summary: "one trunk, with its targets",
    args: ["connection"],
    examples: ["dialplane connections show 'Head office'"],
    async run({ context: { client: connect, output, terminal }, args: [named] }) {
      const connection = await findConnection(await connect(), named!);
      if (output.format === "json") return output.record(connection, []);
      const { name, id, in_use_by, max_calls } = connection;
      terminal.say(`${name}  ${id}\n${in_use_by} numbers, ${max_calls ?? "any number of"} calls at once`);
      await output.list(connection.targets, [
        { title: "host", of: ({ host }) => host, isFlexible: true },
        { title: "port", of: ({ port }) => port, isNumeric: true },
        { title: "transport", of: ({ transport }) => transport },
        { title: "priority", of: ({ priority }) => priority, isNumeric: true },
        { title: "weight", of: ({ weight }) => weight, isNumeric: true },
      ]);
    },
  }),
];
