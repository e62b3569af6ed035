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
    summary: "the trunks of a switch's settings file, or all that is wrong with it",
    args: ["switch.json"],
    details:
      "Trunks live beside each switch, in its switch.json, and take effect when the switch starts. This reads a copy here and asks no service: try a change before you take it there.",
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
    throw new CliFailure(`${file} is no switch's settings:\n  ${faults}`, { exitCode: EXIT.failure });
  }
}
