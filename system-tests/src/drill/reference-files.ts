import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";

const FOLDER = fileURLToPath(new URL("../../../deploy/ha/", import.meta.url));

export type Values = Record<string, string>;

/** Values of `cluster.environment`, with those of this machine in place of the examples. */
export function clusterValues(own: Values): Values {
  const given = readEnvironment(readFileSync(`${FOLDER}cluster.environment`, "utf8"));
  for (const name of Object.keys(own))
    if (!(name in given)) throw new Error(`cluster.environment has no ${name}`);
  return { ...given, ...own };
}

/** A file of deploy/ha with its `${NAMES}` filled in, as `envsubst` does it. Throws if a value is missing. */
export function filledIn(name: string, values: Values): string {
  return readFileSync(`${FOLDER}${name}`, "utf8").replaceAll(/\$\{(\w+)\}/g, (_all, variable: string) => {
    const value = values[variable];
    if (!value) throw new Error(`${name} needs a value for ${variable}`);
    return value;
  });
}

export function writeFilledIn(name: string, values: Values, path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, filledIn(name, values));
  return path;
}

export function readEnvironment(text: string): Values {
  return Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? ""]));
}
