import { matchesGlob } from "node:path";
import { lineAt, listSourceFiles, readText } from "./repository-files.ts";

/** Settings are read, checked and named in one place per program; everyone else is handed a value. */
const readers: Record<string, string> = {
  "server/src/config.ts": "the server's one reader of settings",
  "switch-agent/src/agent-config.ts": "the agent's one reader of settings",
  "cli/src/cli-config.ts": "the command line's one reader of its surroundings",
  "server/src/**/testing/**": "hands a changed environment to programs that tests start",
  "server/testing/**": "hands a changed environment to programs that tests start",
  "system-tests/src/service/program.ts": "hands the compile cache to programs that tests start",
  "tools/checks/src/{environment,environment.test,lint.test}.ts": "have to spell what they look for",
};

const accesses = [
  /\bprocess\s*(?:\?\.|\.)\s*env\b/g,
  /\bprocess\s*(?:\?\.)?\[\s*["'`]env["'`]\s*\]/g,
  /\{[^{}]*\benv\b[^{}]*\}\s*=\s*(?:globalThis\.)?process\b/g,
  /import\s*\{[^{}]*\benv\b[^{}]*\}\s*from\s*["'](?:node:)?process["']/g,
  /\bloadEnvFile\b/g,
];

export function findEnvironmentFaults(root: string): string[] {
  const sources = listSourceFiles(root);
  if (sources.length === 0) return ["no source file to check"];
  return sources
    .filter((path) => !Object.keys(readers).some((reader) => matchesGlob(path, reader)))
    .flatMap((path) => {
      const text = readText(root, path);
      return accesses.flatMap((access) =>
        [...text.matchAll(access)].map(
          ({ index }) =>
            `${path}:${lineAt(text, index)}: reads the environment; take the value from server/src/config.ts`,
        ),
      );
    });
}
