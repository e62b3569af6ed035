import { type Log, openLog } from "../src/platform/log.ts";

export interface CapturedLog {
  log: Log;
  text(): string;
  /** Each line read back; fails where a line is not one JSON object. */
  lines(): Record<string, unknown>[];
}

/** The program's own log, kept in memory instead of printed; `startService({ overrides })` takes it. */
export function captureLog(level = "trace"): CapturedLog {
  let text = "";
  return {
    log: openLog(level, { write: (line) => void (text += line) }),
    text: () => text,
    lines: () =>
      text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
