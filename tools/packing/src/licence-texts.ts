import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./bundle-program.ts";

interface Locked {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>;
}

/** Of everything that is not ours and may be in what we hand out, each text once. */
export function licenceTexts(): string {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Locked;
  const holders = new Map<string, string[]>();
  for (const [path, { version, license, dev, link }] of Object.entries(packages)) {
    if (dev || link || !path.includes("node_modules/") || !existsSync(join(ROOT, path))) continue;
    const text = licenceText(join(ROOT, path)) ?? `(no text; the package says ${license ?? "nothing"})`;
    const name = `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)} ${version}`;
    holders.set(text, [...(holders.get(text) ?? []), name]);
  }
  return [...holders]
    .map(([text, names]) => `${names.join("\n")}\n\n${text.trim()}\n`)
    .join(`\n${"-".repeat(72)}\n\n`);
}

function licenceText(folder: string): string | undefined {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file && readFileSync(join(folder, file), "utf8");
}
