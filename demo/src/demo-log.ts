import { openSync, writeSync } from "node:fs";

export interface DemoLog {
  path: string;
  write(text: string): void;
}

/** Writes synchronously, so that the last line before an exit is in the file. */
export function openDemoLog(path: string): DemoLog {
  const file = openSync(path, "w", 0o600);
  return {
    path,
    write(text) {
      try {
        writeSync(file, text);
      } catch {} // A full disk does not stop the demo.
    },
  };
}
