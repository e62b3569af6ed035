import type { Config } from "./config.ts";
import { recordAct, systemAuthor } from "./events/audit/audit.ts";
import { findTagOfLink, makeLink, tokenOfLink } from "./people/one-time-links/one-time-links.ts";
import { createOrganisation } from "./people/organisations/organisations.ts";
import { addUser, findUserByEmail, normalEmail, setOperator } from "./people/users/users.ts";
import { isEmail } from "./platform/http/shapes.ts";
import { CARRIERS_USAGE, runCarriersCommand } from "./operator-carriers.ts";
import { NUMBERS_USAGE, runNumbersCommand } from "./operator-numbers.ts";
import { ORGANISATIONS_USAGE, runOrganisationsCommand } from "./operator-organisations.ts";
import { runSwitchesCommand, SWITCHES_USAGE } from "./operator-switches.ts";
import { runUsersCommand, USERS_USAGE } from "./operator-users.ts";
import { openApp } from "./start.ts";

const USAGE = `Usage: npm run operator -- <command>

  grant <email>                          make a user an operator, with a link to set a password for a new account
  revoke <email>                         revoke operator access
  create-organisation <name> <email>     create an organisation and invite its first owner
${ORGANISATIONS_USAGE}
${USERS_USAGE}
${NUMBERS_USAGE}
${SWITCHES_USAGE}
${CARRIERS_USAGE}`;

const AUTHOR = systemAuthor("operator command");
const FIRST_LINK_MS = 24 * 3_600_000;

/** Commands that need access to the server. */
export async function runOperator(config: Config, [command, ...args]: string[]): Promise<number> {
  const app = await openApp(config);
  try {
    const ended =
      (await runUsersCommand(app, [command ?? "", ...args])) ??
      (await runOrganisationsCommand(app, [command ?? "", ...args])) ??
      (await runNumbersCommand(app, [command ?? "", ...args])) ??
      (await runSwitchesCommand(app, [command ?? "", ...args])) ??
      (await runCarriersCommand(app, [command ?? "", ...args]));
    if (ended !== undefined) return ended;
    const [first, second] = args;
    const address = command === "create-organisation" ? second : first;
    if (address !== undefined && !isEmail(address)) {
      console.error(`“${address}” is not an email address.`);
      return 2;
    }
    if (command === "grant" && first) console.log(await grant(app, normalEmail(first)));
    else if (command === "revoke" && first) console.log(await revoke(app, normalEmail(first)));
    else if (command === "create-organisation" && first && second) {
      const organisation = await createOrganisation(app, AUTHOR, { name: first, owner_email: second });
      console.log(`Organisation ${organisation.id} exists; ${second} is invited as its owner.`);
    } else {
      console.error(USAGE);
      return 2;
    }
    return 0;
  } finally {
    await app.close();
  }
}

type App = Awaited<ReturnType<typeof openApp>>;

async function grant(app: App, email: string): Promise<string> {
  const now = app.clock.now();
  return app.db.forSystem("operator", async (tx) => {
    const known = await findUserByEmail(tx, email);
    const userId =
      known?.id ?? (await addUser(tx, now, { email, name: email.split("@", 1)[0]!, passwordHash: null }));
    await setOperator(tx, userId, true);
    await recordAct(tx, AUTHOR, now, { action: "operator.granted", subject: userId });
    if (known?.password_hash) return `${email} is an operator.`;
    const link = await makeLink(tx, now, { userId, purpose: "reset_password", lifetimeMs: FIRST_LINK_MS });
    const token = tokenOfLink(app, "reset_password", link, await findTagOfLink(tx, link));
    return `${email} is an operator. Set a password within 24 hours:\n${app.config.baseUrl}/reset-password#${token}`;
  });
}

async function revoke(app: App, email: string): Promise<string> {
  return app.db.forSystem("operator", async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) return `No account ${email}.`;
    await setOperator(tx, user.id, false);
    await recordAct(tx, AUTHOR, app.clock.now(), { action: "operator.revoked", subject: user.id });
    return `${email} is no longer an operator.`;
  });
}
