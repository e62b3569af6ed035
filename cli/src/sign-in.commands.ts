import { hostname } from "node:os";
import { createClient, type ToolSession } from "@dialplane/sdk";
import { usageFailure } from "./cli-failure.ts";
import { type Context, membershipOf } from "./cli-context.ts";
import { command } from "./cli-command.ts";
import { readServiceUrl } from "./service-url.ts";
import { signInByBrowser } from "./sign-in-by-browser.ts";
import { signInByDevice } from "./sign-in-by-device.ts";
import { momentOf } from "./moments.ts";

export const SIGN_IN_COMMANDS = [
  command({
    name: "login",
    group: "Start",
    summary: "Sign in with a browser or a code",
    args: ["address?"],
    options: {
      device: { type: "boolean", summary: "show a code to enter in any browser" },
      "no-browser": { type: "boolean", summary: "print the address instead of opening a browser" },
    },
    details:
      "The sign-in is stored in a file that only you can read, and expires after seven days without use. For programs, set DIALPLANE_URL and DIALPLANE_API_KEY instead.",
    examples: ["dialplane login https://numbers.example.com", "dialplane login --device"],
    async run({ context, args: [address], options }) {
      const { config, credentials, flags, signal, terminal } = context;
      const named = address ?? flags.url ?? config.url ?? credentials.current();
      if (!named)
        throw usageFailure(
          "No service address. Pass the address of your service.",
          "dialplane login https://numbers.example.com",
        );
      const url = readServiceUrl(named);
      const client = createClient({ baseUrl: url });
      const tool = { client, url, clientName: `dialplane on ${hostname()}`.slice(0, 100), terminal, signal };
      const browser = options["no-browser"] ? "none" : config.browser;
      const session = await (options.device ? signInByDevice(tool) : signInByBrowser(tool, browser));
      await keep(context, url, session);
    },
  }),
  command({
    name: "logout",
    group: "Start",
    summary: "Sign out and end the session",
    async run({ context: { config, credentials, flags, terminal } }) {
      const named = flags.url ?? config.url ?? credentials.current();
      const url = named && readServiceUrl(named);
      const signIn = url && credentials.find(url);
      if (!signIn) return terminal.say("You are not signed in.");
      credentials.remove(url);
      // Revokes the deleted token. If the service does not respond, the session expires later.
      await createClient({ baseUrl: url, credential: signIn.token, maxRetries: 1 })
        .sessions.signOut()
        .catch(() =>
          terminal.say(`${url} is unreachable. The session expires after seven days without use.`),
        );
      terminal.say(`You are signed out of ${url}.`);
    },
  }),
  command({
    name: "whoami",
    group: "Start",
    summary: "Show your sign-in, organisation and environment",
    async run({ context }) {
      const place = context.place();
      const { url, environment, signIn } = place;
      const me = await (await context.client()).me.get();
      const { caller, memberships } = me;
      const current = membershipOf(me, place);
      const answer = {
        url,
        caller,
        organisation: current?.organisation ?? null,
        role: current?.role ?? null,
        environment: environment ?? caller.environment,
        expires_at: signIn?.expires_at ?? caller.expires_at ?? null,
      };
      await context.output.record(answer, [
        ["Service", url],
        [
          "Caller",
          caller.email ? `${caller.name} <${caller.email}>` : `${caller.name} (API key …${caller.key_hint})`,
        ],
        [
          "Organisation",
          current?.organisation.name ?? `none of ${memberships.length} selected: dialplane orgs use`,
        ],
        ["Role", current?.role ?? caller.scopes?.join(", ")],
        ["Environment", answer.environment],
        ["Until", momentOf(answer.expires_at)],
      ]);
    },
  }),
];

async function keep(context: Context, url: string, session: ToolSession): Promise<void> {
  const { credentials, terminal } = context;
  const { token, expires_at, user } = session;
  const { memberships } = await createClient({ baseUrl: url, credential: token }).me.get();
  const before = credentials.find(url);
  // A repeated sign-in keeps the organisation if the user is still a member.
  const stays = memberships.some(({ organisation }) => organisation.id === before?.organisation?.id);
  const organisation = stays
    ? before?.organisation
    : memberships.length === 1
      ? memberships[0]!.organisation
      : undefined;
  credentials.set(url, {
    token,
    expires_at,
    user,
    organisation,
    environment: stays ? before?.environment : undefined,
  });
  terminal.say(`You are signed in to ${url} as ${user.name} <${user.email}>.`);
  if (!organisation && memberships.length > 1)
    terminal.say(
      `You belong to ${memberships.length} organisations. Select one: dialplane orgs use <organisation>`,
    );
}
