import { basename, join } from "node:path";
import {
  checkSwitchSettings,
  SwitchSettingsError,
  type SwitchSettings,
  type Trunk as FileTrunk,
} from "../../switch-agent/src/kamailio/switch-settings.ts";
import type { ReplaceTrunks } from "@dialplane/sdk/operator";
import { CliFailure } from "./cli-failure.ts";
import { EXIT } from "./exit-codes.ts";
import { readFile } from "./read-file.ts";

export type NewTrunks = Pick<ReplaceTrunks, "trunks" | "forwarding">;

export function readSettings(file: string): SwitchSettings {
  try {
    return checkSwitchSettings(JSON.parse(readFile(file)));
  } catch (error) {
    if (!(error instanceof SwitchSettingsError || error instanceof SyntaxError)) throw error;
    const faults = error.message.replaceAll("\n", "\n  ");
    throw new CliFailure(`${file} is not a valid switch settings file:\n  ${faults}`, {
      exitCode: EXIT.failure,
    });
  }
}

/** Trunks and forwarding of a switch's file, as the service takes them. */
export function trunksOfFile(
  { trunks, forward }: SwitchSettings,
  passwordDirectory: string | undefined,
): NewTrunks {
  return {
    trunks: trunks.map((trunk) => ({ ...trunk, gateway: gatewayOf(trunk, passwordDirectory) })),
    forwarding: forward && {
      // A switch never pings an only gateway.
      gateways: forward.gateways ?? [{ trunk: forward.gateway!, ping: false }],
      prefixes: forward.prefixes,
      calls_per_minute: forward.calls_per_minute,
      calls_at_once: forward.calls_at_once,
    },
  };
}

function gatewayOf({ gateway }: FileTrunk, directory: string | undefined) {
  if (gateway === null) return null;
  const { password_file: file, ...settings } = gateway;
  // A switch without a user name never sends a password.
  if (file === null || gateway.username === null) return settings;
  const path = directory === undefined ? file : join(directory, basename(file));
  return { ...settings, password: readFile(path).trimEnd() };
}
