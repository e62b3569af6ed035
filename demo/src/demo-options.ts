import { parseArgs } from "node:util";
import { DemoFailure } from "./demo-failure.ts";

export const USAGE = `Usage: dialplane-demo [--port 8080] [--directory <folder>] [--reset] [--numbers 20] [--calls 300]
                      [--history 365] [--json]

Starts PostgreSQL, the API, the worker and a simulated switch, with two example organisations that have
members, keys, numbers, calls and a call history. Press Ctrl-C to stop.
  --port       port of the API, 0 for any free port (default: 8080, or a free port if 8080 is in use)
  --directory  folder that keeps the data and the log for the next start (default: keep only the log)
  --reset      delete the data in that folder first
  --numbers    numbers of each organisation, at least 5 (default: 20)
  --calls      calls per hour (default: 300)
  --history    days of call history, 0 for none (default: 365), added in the background, newest first
  --json       print one line of JSON to standard output when ready, and progress to standard error`;

export interface DemoOptions {
  /** `undefined` if any port will do. */
  port: number | undefined;
  directory: string | undefined;
  isReset: boolean;
  numbers: number;
  callsPerHour: number;
  historyDays: number;
  isJson: boolean;
}

/** Returns `undefined` if the user asks for help. */
export function readOptions(args: string[]): DemoOptions | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  return {
    port: values.port === undefined ? undefined : readPort(values.port),
    directory: values.directory,
    isReset: values.reset,
    numbers: Math.max(5, Number(values.numbers) || 0),
    callsPerHour: Number(values.calls) || 0,
    historyDays: Number(values.history) || 0,
    isJson: values.json,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: "string" },
        directory: { type: "string" },
        reset: { type: "boolean", default: false },
        numbers: { type: "string", default: "20" },
        calls: { type: "string", default: "300" },
        history: { type: "string", default: "365" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    const [what = ""] = (error as Error).message.split(/\. |\n/);
    throw new DemoFailure(`${what}. Run with --help to list the options.`);
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new DemoFailure(`“${text}” is not a port. Choose --port between 0 and 65535.`);
}
