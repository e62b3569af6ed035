import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CliFailure } from "./cli-failure.ts";
import { EXIT } from "./exit-codes.ts";

export interface SignIn {
  token: string;
  expires_at: string;
  user: { name: string; email: string };
  organisation?: { id: string; name: string } | undefined;
  environment?: "live" | "test" | undefined;
}

interface Kept {
  /** The service that is meant where none is named. */
  current: string | null;
  services: Record<string, SignIn>;
}

/** Sign-ins by service URL, in a file that only its owner can read. */
export interface Credentials {
  path: string;
  current(): string | undefined;
  find(url: string): SignIn | undefined;
  set(url: string, signIn: SignIn): void;
  remove(url: string): void;
}

export function openCredentials(path: string): Credentials {
  const change = (edit: (kept: Kept) => void): void => {
    const kept = read(path);
    edit(kept);
    write(path, kept);
  };
  return {
    path,
    current: () => read(path).current ?? undefined,
    find: (url) => read(path).services[url],
    set: (url, signIn) =>
      change((kept) => {
        kept.services[url] = signIn;
        kept.current = url;
      }),
    remove: (url) =>
      change((kept) => {
        delete kept.services[url];
        if (kept.current === url) kept.current = Object.keys(kept.services)[0] ?? null;
      }),
  };
}

function read(path: string): Kept {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { current: null, services: {} };
    throw error;
  }
  // Checks permissions like ssh does with its keys: another user may have read and used the credentials.
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
    throw new CliFailure(`Other users can read ${path}, which contains your sign-in.`, {
      exitCode: EXIT.notAllowed,
      next: `chmod 600 ${path}`,
    });
  try {
    const { current, services } = JSON.parse(text) as Kept;
    return { current, services: { ...services } };
  } catch {
    throw new CliFailure(`${path} is not a valid credentials file.`, {
      next: `rm ${path}, then dialplane login`,
    });
  }
}

/** Atomic, because another process may read the file concurrently. */
function write(path: string, kept: Kept): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
