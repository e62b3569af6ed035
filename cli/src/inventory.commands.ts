import { command } from "./cli-command.ts";
import { LIST_OPTIONS, several } from "./several.ts";

export const INVENTORY_COMMANDS = [
  command({
    name: "inventory search",
    summary: "Search available numbers",
    examples: ["dialplane inventory search -e test"],
    options: {
      country: { type: "string", value: "US", summary: "country code" },
      type: { type: "string", value: "local", summary: "number type" },
      contains: { type: "string", value: "digits", summary: "digits that the number contains" },
      ...LIST_OPTIONS,
    },
    async run({ context, options: { country, type, contains, ...options } }) {
      const client = await context.client();
      const given = { country, type, contains } as Record<string, string | undefined>;
      const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const { carrier } = await client.inventory.search({ ...query, limit: 1 });
      if (!carrier.connected)
        context.terminal.say(
          "No searchable inventory here. Order without a search: dialplane order --country <country>",
        );
      const numbers = await several(context, options, ({ limit }) =>
        client.inventory.search({ ...query, limit }),
      );
      await context.output.list(numbers, [
        { title: "number", of: ({ e164 }) => e164 },
        { title: "country", of: ({ country: code }) => code },
        { title: "type", of: (number) => number.type },
        { title: "capabilities", of: ({ capabilities }) => capabilities.join(";") },
      ]);
    },
  }),
];
