import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repositoryRoot } from "./repository-files.ts";

export interface PlantedTree extends Disposable {
  root: string;
}

/** A small repository in a temporary folder, with the faults a checker has to find. */
export function plantTree(files: Record<string, string>): PlantedTree {
  const root = mkdtempSync(join(tmpdir(), "dialplane-planted-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

/** Lets planted sources import the packages that are installed here. */
export function linkPackages(tree: PlantedTree): void {
  symlinkSync(join(repositoryRoot, "node_modules"), join(tree.root, "node_modules"));
}
