import { usageFailure } from "./cli-failure.ts";
import { findOrganisation, membershipOf, readEnvironment } from "./cli-context.ts";
import { command } from "./cli-command.ts";

export const ORGANISATION_COMMANDS = [
  command({
    name: "orgs list",
    summary: "the organisations you belong to, and which one is chosen",
    async run({ context }) {
      const me = await (await context.client()).me.get();
      const current = membershipOf(me, context.place());
      await context.output.list(
        me.memberships.map(({ organisation: { id, name }, role }) => ({
          id,
          name,
          role,
          is_current: id === current?.organisation.id,
        })),
        [
          { title: "id", of: ({ id }) => id },
          { title: "name", of: ({ name }) => name, isFlexible: true },
          { title: "role", of: ({ role }) => role },
          {
            title: "current",
            of: ({ is_current }) => is_current,
            show: ({ is_current }) => (is_current ? "✓" : ""),
          },
        ],
      );
    },
  }),
  command({
    name: "orgs use",
    summary: "choose the organisation, and the side, for the commands that follow",
    args: ["organisation"],
    examples: ["dialplane orgs use 'Northwind Telecom'", "dialplane orgs use 'Northwind Telecom' -e test"],
    async run({ context, args: [named] }) {
      const { credentials, config, flags, terminal } = context;
      const { url, signIn } = context.place();
      if (!signIn)
        throw usageFailure(
          "An API key is used here; name the organisation with --org or DIALPLANE_ORGANISATION.",
        );
      const organisation = await findOrganisation(await context.client(), named!);
      const environment = readEnvironment(flags.environment ?? config.environment) ?? "live";
      credentials.set(url, { ...signIn, organisation, environment });
      terminal.say(`From now on: ${organisation.name}, the ${environment} side.`);
    },
  }),
];
