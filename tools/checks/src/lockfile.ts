import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "./repository-files.ts";

export interface Manifest {
  name?: string;
  license?: string | { type?: string };
  licenses?: { type?: string }[];
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface LockedPackage {
  /** Installation path from the root: node_modules/pg, or node_modules/a/node_modules/b. */
  path: string;
  name: string;
  version?: string;
  license?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

type LockEntry = Omit<LockedPackage, "path" | "name"> & Manifest & { link?: boolean };

/** Everything npm installs from elsewhere; the workspaces themselves are not among it. */
export function readLockedPackages(root: string): LockedPackage[] {
  return Object.entries(readLock(root))
    .filter(([path, entry]) => path.includes("node_modules/") && !entry.link)
    .map(([path, entry]) => ({ ...entry, path, name: path.slice(path.lastIndexOf("node_modules/") + 13) }));
}

/** Manifests of the root and the workspaces when the lock file was written, by path of package.json. */
export function readLockedManifests(root: string): Map<string, Manifest> {
  const ours = Object.entries(readLock(root)).filter(([path]) => !path.includes("node_modules/"));
  return new Map(
    ours.map(([folder, entry]) => [folder === "" ? "package.json" : `${folder}/package.json`, entry]),
  );
}

function readLock(root: string): Record<string, LockEntry> {
  return readJson<{ packages: Record<string, LockEntry> }>(root, "package-lock.json").packages;
}

/** The root's package.json and each workspace's, by path. */
export function readManifests(root: string): Map<string, Manifest> {
  const manifest = readJson<Manifest>(root, "package.json");
  const paths = (manifest.workspaces ?? []).map((folder) => `${folder}/package.json`);
  return new Map([
    ["package.json", manifest],
    ...paths.map((path): [string, Manifest] => [path, readJson<Manifest>(root, path)]),
  ]);
}

/** Undefined where this machine has no use for the package, such as another system's binaries. */
export function readInstalledManifest(root: string, { path }: LockedPackage): Manifest | undefined {
  return existsSync(join(root, path, "package.json"))
    ? readJson<Manifest>(root, `${path}/package.json`)
    : undefined;
}
