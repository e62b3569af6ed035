import { type Client, createClient, type Me, type Membership, type Settings } from "@dialplane/sdk";
import { createOperatorClient, type OperatorClient } from "@dialplane/sdk/operator";
import { CliFailure, usageFailure } from "./cli-failure.ts";
import type { CliConfig } from "./cli-config.ts";
import type { Output } from "./cli-output.ts";
import type { Terminal } from "./cli-terminal.ts";
import type { Credentials, SignIn } from "./credentials.ts";
import { EXIT } from "./exit-codes.ts";
import { readServiceUrl } from "./service-url.ts";

/** Options that every command takes. */
export interface GlobalFlags {
  url?: string;
  org?: string;
  environment?: string;
  yes?: boolean;
  debug?: boolean;
}

/** Which service, as whom, and where in it. */
export interface Place {
  url: string;
  credential: string;
  /** Undefined where a key is used that the surroundings name. */
  signIn: SignIn | undefined;
  /** ID or name, as given. */
  organisation: string | undefined;
  environment: "live" | "test" | undefined;
}

export interface Context {
  flags: GlobalFlags;
  config: CliConfig;
  terminal: Terminal;
  output: Output;
  credentials: Credentials;
  signal: AbortSignal;
  handOver(): void;
  /** Throws if the user is not signed in. */
  place(): Place;
  client(): Promise<Client>;
  operator(): OperatorClient;
  /** Asks whether to continue; `word` must be typed where it is there. Throws where it is not allowed to. */
  confirm(question: string, word?: string): Promise<void>;
}

type Parts = Pick<
  Context,
  "flags" | "config" | "terminal" | "output" | "credentials" | "signal" | "handOver"
>;

export function makeContext(parts: Parts): Context {
  let client: Promise<Client> | undefined;
  return {
    ...parts,
    place: () => findPlace(parts),
    client: () => (client ??= connect(parts, findPlace(parts))),
    operator: () => createOperatorClient(settingsOf(parts, findPlace(parts))),
    confirm: (question, word) => confirm(parts, question, word),
  };
}

function findPlace({ flags, config, credentials }: Parts): Place {
  const named = flags.url ?? config.url ?? credentials.current();
  if (!named)
    throw new CliFailure("You are not signed in to any service.", {
      exitCode: EXIT.notAllowed,
      next: "dialplane login https://numbers.example.com",
    });
  const url = readServiceUrl(named);
  const signIn = config.apiKey ? undefined : credentials.find(url);
  const credential = config.apiKey ?? signIn?.token;
  if (!credential)
    throw new CliFailure(`You are not signed in to ${url}.`, {
      exitCode: EXIT.notAllowed,
      next: `dialplane login ${url}`,
    });
  return {
    url,
    credential,
    signIn,
    organisation: flags.org ?? config.organisation ?? signIn?.organisation?.id,
    environment: readEnvironment(flags.environment ?? config.environment ?? signIn?.environment),
  };
}

export function readEnvironment(text: string | undefined): "live" | "test" | undefined {
  if (text === undefined || text === "live" || text === "test") return text;
  throw usageFailure(`The environment must be live or test, not “${text}”.`);
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return UUID.test(text);
}

/** About 4 seconds: an interactive user prefers a quick error. */
const MAX_RETRIES = 4;

function settingsOf({ flags, terminal }: Parts, { url, credential }: Place): Settings {
  return {
    baseUrl: url,
    credential,
    maxRetries: MAX_RETRIES,
    ...(flags.debug ? { onAttempt: debugLine(terminal) } : {}),
  };
}

async function connect(parts: Parts, place: Place): Promise<Client> {
  const { organisation, environment } = place;
  const client = createClient({ ...settingsOf(parts, place), environment });
  if (organisation === undefined) return client;
  return client.with({
    organisation: isId(organisation) ? organisation : (await findOrganisation(client, organisation)).id,
  });
}

/** By id or by name, in whatever case. */
export async function findOrganisation(client: Client, named: string): Promise<{ id: string; name: string }> {
  const { memberships } = await client.me.get();
  const fits = memberships
    .map(({ organisation }) => organisation)
    .filter(({ id, name }) => id === named.toLowerCase() || name.toLowerCase() === named.toLowerCase());
  if (fits.length === 1) return fits[0]!;
  const why =
    fits.length === 0
      ? "You are not a member of an organisation"
      : "You are a member of several organisations";
  throw new CliFailure(`${why} named “${named}”.`, { exitCode: EXIT.notFound, next: "dialplane orgs list" });
}

/** The one that was chosen, or the only one there is. */
export function membershipOf({ memberships }: Me, { organisation }: Place): Membership | undefined {
  if (organisation === undefined) return memberships.length === 1 ? memberships[0] : undefined;
  return memberships.find(({ organisation: { id, name } }) =>
    [id, name.toLowerCase()].includes(organisation.toLowerCase()),
  );
}

function debugLine({ say }: Terminal) {
  return (attempt: {
    method: string;
    url: string;
    status: number | undefined;
    durationMs: number;
    requestId: string | undefined;
    idempotencyKey: string | undefined;
    retryInMs: number | undefined;
  }): void => {
    const { method, url, status, durationMs, requestId, idempotencyKey, retryInMs } = attempt;
    const facts = [
      `${method} ${url} → ${status ?? "no response"} in ${Math.round(durationMs)} ms`,
      requestId && `request ${requestId}`,
      idempotencyKey && `key ${idempotencyKey}`,
      retryInMs !== undefined && `retry in ${retryInMs} ms`,
    ];
    say(facts.filter(Boolean).join(", "));
  };
}

async function confirm({ flags, terminal }: Parts, question: string, word?: string): Promise<void> {
  if (flags.yes) return;
  if (!terminal.canAsk)
    throw usageFailure(`${question} Prompts are not available here: pass --yes to confirm.`);
  if (word) terminal.say(question);
  const answer = await terminal.ask(word ? `Type ${word} to confirm: ` : `${question} [y/N] `);
  const isMeant = word ? answer.trim() === word : /^(y|yes)$/i.test(answer.trim());
  if (!isMeant) throw usageFailure("Nothing was changed.");
}
