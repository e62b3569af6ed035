import { basename, dirname } from "node:path";
import { listFiles } from "./repository-files.ts";

/** Catch-all folders. Name a folder after its purpose. */
const shapelessFolders = new Set(["utils", "helpers", "common", "misc", "shared", "lib", "core"]);

/** Names a tool or a habit of the whole trade dictates, in any folder. */
const dictatedNames = new Set([
  "package.json",
  "tsconfig.json",
  "vite.config.ts",
  "vitest.config.ts",
  "README.md",
  "AREA.md",
  "CHANGELOG.md",
  "LICENSE",
  "NOTICE",
  "Dockerfile",
  "Chart.yaml",
  "values.yaml",
  "NOTES.txt",
  "_helpers.tpl",
]);

const documentAtRoot = /^[A-Z_]+\.md$/;
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const kebabWithKinds = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const component = /^[A-Z][A-Za-z0-9]*(\.[a-z]+)*\.(tsx|css)$/;
const sql = /^server\/database\/(?:migrations\/\d{4}_[a-z0-9_]+|functions\/[a-z_]+)\.sql$/;

export function findNameFaults(root: string): string[] {
  // Folders and files with a leading dot belong to tools, which name what is in them.
  const files = listFiles(root).filter((path) => !path.split("/").some((part) => part.startsWith(".")));
  if (files.length === 0) return ["no file to check"];
  return [
    ...files.flatMap(findFileNameFaults),
    ...listFolders(files).flatMap(findFolderNameFaults),
    ...findRepeatedNames(files),
  ];
}

function findFileNameFaults(path: string): string[] {
  const name = basename(path);
  const faults: string[] = [];
  if (/^index\.[cm]?[jt]sx?$/.test(name) && path !== "sdk/src/index.ts") {
    faults.push(`${path}: call it by what it holds; only the SDK has an index.ts`);
  }
  if (!hasProperName(path, name)) faults.push(`${path}: not kebab-case with a dot before the kind`);

  const [, folder] =
    /^server\/src\/(?:people|numbers(?:\/carriers)?|switching|events)\/(?!carriers\/|testing\/)([^/]+)\/(?!testing\/)/.exec(
      path,
    ) ?? [];
  if (folder && !name.startsWith(`${folder}.`) && !name.startsWith(`${folder}-`)) {
    faults.push(`${path}: starts with another name than its folder, ${folder}`);
  }
  return faults;
}

function hasProperName(path: string, name: string): boolean {
  return (
    kebabWithKinds.test(name) ||
    dictatedNames.has(name) ||
    component.test(name) ||
    sql.test(path) ||
    (!path.includes("/") && documentAtRoot.test(name))
  );
}

function listFolders(files: string[]): string[] {
  const folders = new Set<string>();
  for (const path of files) {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].sort();
}

function findFolderNameFaults(folder: string): string[] {
  const name = basename(folder);
  if (shapelessFolders.has(name)) return [`${folder}/: says nothing about what is in it`];
  return kebab.test(name) ? [] : [`${folder}/: not kebab-case`];
}

function findRepeatedNames(files: string[]): string[] {
  const firstPlace = new Map<string, string>();
  return files.flatMap((path) => {
    const name = basename(path);
    const first = firstPlace.get(name);
    if (first === undefined) firstPlace.set(name, path);
    return first === undefined || dictatedNames.has(name) ? [] : [`${path}: same file name as ${first}`];
  });
}
