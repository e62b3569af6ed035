import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { CliEnvironment } from "./run-cli.ts";

const run = promisify(execFile);

export interface Screen extends AsyncDisposable {
  /** Current content. */
  text(): Promise<string>;
  /** As typed: words are typed as they are, Enter and C-c are keys. */
  type(...keys: string[]): Promise<void>;
}

/** A real terminal of 80 columns and 24 lines with a shell, in a separate tmux. */
export async function openScreen(env: CliEnvironment): Promise<Screen> {
  const socket = `dialplane-${process.pid}-${Date.now()}`;
  const tmux = async (...args: string[]): Promise<string> =>
    (await run("tmux", ["-L", socket, "-f", "/dev/null", ...args], { env: { ...env, TERM: "xterm" } }))
      .stdout;
  await tmux("new-session", "-d", "-x", "80", "-y", "24", "bash --norc --noprofile");
  return {
    text: () => tmux("capture-pane", "-p"),
    async type(...keys) {
      await tmux("send-keys", ...keys);
    },
    async [Symbol.asyncDispose]() {
      await tmux("kill-server");
    },
  };
}
