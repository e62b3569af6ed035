import { ApiError } from "@dialplane/sdk";
import type { SwitchGroup, TrunkList } from "@dialplane/sdk/operator";
import type { OptionTable, Values } from "./cli-command.ts";
import { type Context, isId } from "./cli-context.ts";
import { CliFailure, usageFailure } from "./cli-failure.ts";
import { EXIT } from "./exit-codes.ts";
import { readCount } from "./several.ts";
import { untilSwitchesApplied } from "./switches-until-applied.ts";

export const GROUP_OPTION = {
  group: {
    type: "string",
    value: "group",
    summary: "switch group by name or ID (default: the default group)",
  },
} as const satisfies OptionTable;

export const CHANGE_OPTIONS = {
  ...GROUP_OPTION,
  open: {
    type: "string",
    multiple: true,
    value: "network",
    summary: "network that the change opens, once for each. Prompts without it",
  },
  "no-wait": { type: "boolean", summary: "return without waiting until it is applied" },
  timeout: { type: "string", value: "seconds", summary: "seconds to wait (default: 30)" },
} as const satisfies OptionTable;

const TIMEOUT_SECONDS = "30";

export async function findGroup(context: Context, given: string | undefined): Promise<SwitchGroup> {
  const { switchGroups } = context.operator();
  if (given !== undefined && isId(given)) return switchGroups.get(given);
  for await (const group of switchGroups.list())
    if (given === undefined ? group.is_default && group.environment === "live" : group.name === given)
      return group;
  throw new CliFailure(
    given === undefined ? "There is no default switch group." : `No switch group has the name ${given}.`,
    { exitCode: EXIT.notFound },
  );
}

/**
 * Sends a change with the networks that the operator has named. If there are none and the change opens networks, it
 * names them and prompts. --yes does not count: it names no network.
 */
export async function changeTrunks(
  context: Context,
  group: SwitchGroup,
  options: Values<typeof CHANGE_OPTIONS>,
  send: (confirmedNetworks: string[]) => PromiseLike<TrunkList>,
): Promise<TrunkList> {
  const seconds = readCount(options.timeout ?? TIMEOUT_SECONDS, "--timeout");
  const named = (options.open ?? []).flatMap((one) => one.split(",")).map((one) => one.trim());
  const changed = await sendConfirmed(context, group, { named, send });
  if (options["no-wait"]) return changed;
  const { operator, signal } = context;
  return untilSwitchesApplied(context, () => operator().trunks.get(group.id, { signal }), {
    saved: "trunks",
    timeoutSeconds: seconds,
    next: `dialplane operator trunks list --group ${JSON.stringify(group.name)}`,
  });
}

async function sendConfirmed(
  { flags, terminal }: Context,
  group: SwitchGroup,
  { named, send }: { named: string[]; send: (confirmedNetworks: string[]) => PromiseLike<TrunkList> },
): Promise<TrunkList> {
  try {
    return await send(named);
  } catch (error) {
    const networks = unconfirmedNetworks(error);
    if (!networks) throw error;
    if (networks.length === 0 || named.length > 0 || flags.yes || !terminal.canAsk)
      throw new CliFailure(`${openingOf(networks)} Nothing was changed.`, {
        exitCode: EXIT.usage,
        next:
          networks.length > 0
            ? `repeat the command with ${networks.map((network) => `--open ${network}`).join(" ")}`
            : "repeat the command without --open",
      });
    terminal.say(
      [`This opens the switches of ${group.name} to:`, ...networks.map((one) => `  ${one}`)].join("\n"),
    );
    const reply = await terminal.ask(
      `Open ${networks.length} ${networks.length === 1 ? "network" : "networks"}? [y/N] `,
    );
    if (!/^(y|yes)$/i.test(reply.trim())) throw usageFailure("Nothing was changed.");
    return send(networks);
  }
}

function openingOf(networks: readonly string[]): string {
  return networks.length === 0
    ? "The change opens no network, but --open names some."
    : `The change opens the switches to ${networks.join(", ")}. Name exactly these with --open.`;
}

function unconfirmedNetworks(error: unknown): string[] | undefined {
  if (!(error instanceof ApiError) || error.code !== "networks_not_confirmed") return undefined;
  const { networks } = { ...error.problem } as { networks?: string[] };
  return networks;
}
