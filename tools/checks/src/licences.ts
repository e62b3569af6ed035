import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type LockedPackage,
  type Manifest,
  readInstalledManifest,
  readLockedPackages,
  readManifests,
} from "./lockfile.ts";

const ours = "Apache-2.0";
const allowed = new Set(["MIT", "MIT-0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"]);

/** Weak copyleft: nothing of it is in what we ship. */
const allowedForDevelopment = new Set(["MPL-2.0"]);

type Exceptions = Record<string, { licence: string; reason: string }>;

/** Development only, package by package. Shipped packages get no exceptions. */
const developmentExceptions: Exceptions = {
  "fast-sha256": { licence: "Unlicense", reason: "public domain; standardwebhooks verifies our signatures" },
  "get-source": { licence: "Unlicense", reason: "public domain; Spectral's stack traces" },
  "printable-characters": { licence: "Unlicense", reason: "public domain; Spectral's stack traces" },
  stacktracey: { licence: "Unlicense", reason: "public domain; Spectral's stack traces" },
};

/** Fonts that the dashboard serves as files. Their licence covers the font, not the software that shows it. */
const fonts: Exceptions = {
  "@fontsource-variable/inter": { licence: "OFL-1.1", reason: "SIL Open Font License" },
  "@fontsource-variable/geist-mono": { licence: "OFL-1.1", reason: "SIL Open Font License" },
};

/** Installed with what we ship, but in none of it: the dashboard's build leaves it out, and its tests look. */
const leftOut: Exceptions = {
  isbot: {
    licence: "Unlicense",
    reason: "public domain; TanStack Router asks it when it renders on a server",
  },
};

export function findLicenceFaults(root: string, exceptions = developmentExceptions): string[] {
  const packages = readLockedPackages(root);
  if (packages.length === 0) return ["package-lock.json: no package to check"];
  return [
    ...findOwnFaults(root),
    ...packages.flatMap((entry) => findPackageFaults(root, entry, exceptions)),
    ...Object.keys(exceptions)
      .filter((name) => !packages.some((entry) => entry.name === name))
      .map((name) => `${name}: excepted, but no longer installed`),
  ];
}

function findOwnFaults(root: string): string[] {
  const faults = [...readManifests(root)]
    .filter(([, manifest]) => manifest.license !== ours)
    .map(([path]) => `${path}: "license" is not ${ours}`);
  return existsSync(join(root, "LICENSE")) ? faults : [...faults, "LICENSE: missing"];
}

function findPackageFaults(root: string, entry: LockedPackage, exceptions: Exceptions): string[] {
  // Checks both: the lock file has other systems' packages, the manifest shows the unpacked one.
  const stated = [entry.license, licenceOf(readInstalledManifest(root, entry))].filter(
    (text) => text !== undefined,
  );
  if (stated.length === 0) return [`${entry.path}: states no licence`];
  const kind = entry.dev ? "development" : "production";
  return [...new Set(stated)]
    .filter((licence) => !isAcceptable(licence, entry.dev === true))
    .filter((licence) => !(entry.dev && exceptions[entry.name]?.licence === licence))
    .filter((licence) => leftOut[entry.name]?.licence !== licence && fonts[entry.name]?.licence !== licence)
    .map((licence) => `${entry.path}: ${licence} is not allowed for a ${kind} dependency`);
}

function isAcceptable(licence: string, isForDevelopment: boolean): boolean {
  return satisfies(licence, (id) => allowed.has(id) || (isForDevelopment && allowedForDevelopment.has(id)));
}

function licenceOf(manifest: Manifest | undefined): string | undefined {
  if (!manifest) return undefined;
  const { license, licenses } = manifest;
  if (typeof license === "string") return license;
  // Packages older than SPDX expressions; several entries were always a choice.
  const types = [license, ...(licenses ?? [])].map((old) => old?.type).filter((type) => type !== undefined);
  return types.length === 0 ? undefined : types.join(" OR ");
}

/** An SPDX expression: OR binds weaker than AND. A text that is none satisfies nothing. */
export function satisfies(expression: string, isAllowed: (id: string) => boolean): boolean {
  const tokens = expression.match(/\(|\)|[^\s()]+/g) ?? [];
  const takeIf = (token: string): boolean => tokens[0] === token && tokens.shift() !== undefined;

  const readOne = (): boolean => {
    if (takeIf("(")) {
      const inner = readAny();
      return takeIf(")") && inner;
    }
    return isAllowed(tokens.shift() ?? "");
  };
  const readAll = (): boolean => {
    let result = readOne();
    while (takeIf("AND")) result = readOne() && result;
    return result;
  };
  const readAny = (): boolean => {
    let result = readAll();
    while (takeIf("OR")) result = readAll() || result;
    return result;
  };

  const result = readAny();
  return result && tokens.length === 0;
}
