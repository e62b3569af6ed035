import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";

export const repositoryRoot = fileURLToPath(new URL("../../../", import.meta.url));

/** Every file that belongs to the repository, as paths from its root; what .gitignore names does not. */
export function listFiles(root: string): string[] {
  const isIgnored = readIgnoreRules(root);
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isIgnored(path, entry.name)) return [];
      return entry.isDirectory() ? walk(path) : [path];
    });
  return walk("").sort();
}

export function listSourceFiles(root: string): string[] {
  return listFiles(root).filter((path) => /\.[cm]?tsx?$/.test(path));
}

export function readText(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function readJson<Content>(root: string, path: string): Content {
  return JSON.parse(readText(root, path)) as Content;
}

/** 1 for the first line. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Understands what our .gitignore uses: a name, a glob over names, or a path from the root. */
function readIgnoreRules(root: string): (path: string, name: string) => boolean {
  const lines = existsSync(join(root, ".gitignore")) ? readText(root, ".gitignore").split("\n") : [];
  const patterns = lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .concat(".git", "node_modules")
    .map((line) => line.replace(/\/$/, ""));
  return (path, name) =>
    patterns.some((pattern) =>
      pattern.includes("/") ? matchesGlob(path, pattern.replace(/^\//, "")) : matchesGlob(name, pattern),
    );
}
