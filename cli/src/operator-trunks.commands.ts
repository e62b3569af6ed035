import {
  checkSwitchSettings,
  SwitchSettingsError,
  type Trunk,
} from "../../switch-agent/src/kamailio/switch-settings.ts";
import { CliFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { readFile } from "./read-file.ts";
import type { Column } from "./table.ts";

const TRUNK_COLUMNS: readonly Column<Trunk>[] = [
  { title: "name", of: ({ name }) => name },
  { title: "direction", of: ({ direction }) => direction },
  { title: "transport", of: ({ transport }) => transport },
  { title: "sources", of: ({ sources }) => sources.join(";"), isFlexible: true },
  { title: "gateway", of: ({ gateway }) => (gateway ? `${gateway.host}:${gateway.port}` : null) },
  { title: "max calls", of: ({ max_calls }) => max_calls || null, isNumeric: true },
];

export const OPERATOR_TRUNKS_COMMANDS = [
  command({
    name: "operator trunks check",
    summary: "Check a switch settings file and list its trunks",
    examples: ["dialplane operator trunks check /etc/dialplane/switch.json"],
    args: ["switch.json"],
    details:
      "Trunks are defined in the switch.json of each switch, and take effect when the switch starts. This command checks a local file without a request to the service. Use it before you deploy a change.",
    async run({ context, args: [file] }) {
      await context.output.list(trunksIn(file!), TRUNK_COLUMNS);
    },
  }),
];

function trunksIn(file: string): Trunk[] {
  try {
    return checkSwitchSettings(JSON.parse(readFile(file))).trunks;
  } catch (error) {
    if (!(error instanceof SwitchSettingsError || error instanceof SyntaxError)) throw error;
    const faults = error.message.replaceAll("\n", "\n  ");
    throw new CliFailure(`${file} is not a valid switch settings file:\n  ${faults}`, {
      exitCode: EXIT.failure,
    });
  }
}
