import type { OwnOrganisation } from "@dialplane/sdk";
import { command } from "./cli-command.ts";
import { type Context, findOrganisation, membershipOf, readEnvironment } from "./cli-context.ts";
import { usageFailure } from "./cli-failure.ts";
import { momentOf } from "./moments.ts";

export const ORGANISATION_COMMANDS = [
  command({
    name: "orgs list",
    summary: "List your organisations",
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
    summary: "Select the organisation and environment",
    args: ["organisation"],
    examples: ["dialplane orgs use 'Northwind Telecom'", "dialplane orgs use 'Northwind Telecom' -e test"],
    async run({ context, args: [named] }) {
      const { credentials, config, flags, terminal } = context;
      const { url, signIn } = context.place();
      if (!signIn)
        throw usageFailure(
          "orgs use does not work with an API key. Use --org or DIALPLANE_ORGANISATION instead.",
        );
      const organisation = await findOrganisation(await context.client(), named!);
      const environment = readEnvironment(flags.environment ?? config.environment) ?? "live";
      credentials.set(url, { ...signIn, organisation, environment });
      terminal.say(`Now using ${organisation.name}, ${environment} environment.`);
    },
  }),
  command({
    name: "orgs show",
    summary: "Show the selected organisation",
    async run({ context }) {
      await show(context, await (await context.client()).organisation.get());
    },
  }),
  command({
    name: "orgs set-country",
    summary: "Set the default country of searches",
    args: ["country"],
    details:
      "Searches read numbers without a country code, such as 030 1000, as dialled in this country. “none” removes it. Only owners and admins can change it.",
    examples: ["dialplane orgs set-country DE"],
    async run({ context, args: [country] }) {
      const client = await context.client();
      const wanted = country === "none" ? null : country!.toUpperCase();
      await show(context, await client.organisation.change({ default_country: wanted }));
    },
  }),
];

async function show({ output }: Context, organisation: OwnOrganisation): Promise<void> {
  await output.record(organisation, [
    ["Name", organisation.name],
    ["Id", organisation.id],
    ["Default country", organisation.default_country ?? "none"],
    ["Created", momentOf(organisation.created_at)],
  ]);
}
