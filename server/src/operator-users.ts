import { systemAuthor } from "./events/audit/audit.ts";
import {
  disableUser,
  enableUser,
  endUserSessions,
  listUsers,
  removeUserAuthenticator,
  type UserDetails,
} from "./people/users/users.containment.ts";
import { isEmail } from "./platform/http/shapes.ts";
import { ApiError } from "./platform/api-error.ts";
import type { openApp } from "./start.ts";

export const USERS_USAGE = `  disable-user <email> [reason]          end all sessions of a user and prevent new ones
  enable-user <email>                    allow a user to sign in again
  end-sessions <email>                   end all sessions of a user
  remove-authenticator <email>           for a user who lost the app and the recovery codes`;

const AUTHOR = systemAuthor("operator command");

type App = Awaited<ReturnType<typeof openApp>>;

interface UserCommand {
  run(app: App, id: string, reason: string | undefined): Promise<UserDetails>;
  says(user: UserDetails): string;
}

const COMMANDS: Record<string, UserCommand> = {
  "disable-user": {
    run: (app, id, reason) => disableUser(app, AUTHOR, id, reason),
    says: ({ email, api_key_count: keys }) =>
      `${email} is disabled and signed out.${keys ? ` ${keys} API keys created by this user still work.` : ""}`,
  },
  "enable-user": {
    run: (app, id) => enableUser(app, AUTHOR, id),
    says: ({ email }) => `${email} can sign in.`,
  },
  "end-sessions": {
    run: (app, id) => endUserSessions(app, AUTHOR, id),
    says: ({ email }) => `${email} is signed out everywhere.`,
  },
  "remove-authenticator": {
    run: (app, id) => removeUserAuthenticator(app, AUTHOR, id),
    says: ({ email }) => `${email} has no authenticator app and is signed out everywhere.`,
  },
};

/** The operator's commands about people; undefined if it is none of these. */
export async function runUsersCommand(
  app: App,
  [name = "", email, reason]: readonly string[],
): Promise<number | undefined> {
  const command = COMMANDS[name];
  if (!command) return undefined;
  if (!email || !isEmail(email)) {
    console.error(`Usage: npm run operator -- <command>\n\n${USERS_USAGE}`);
    return 2;
  }
  const [user] = await listUsers(app, email, { after: undefined, limit: 1 });
  if (!user) {
    console.error(`No account ${email}.`);
    return 1;
  }
  try {
    console.log(command.says(await command.run(app, user.id, reason)));
    return 0;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.error(error.message);
    return 1;
  }
}
