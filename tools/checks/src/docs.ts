import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { lineAt, listFiles, readJson, readText } from "./repository-files.ts";

const documents = /^(README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$|^docs\/.+\.md$|^[a-z-]+\/README\.md$/;
/** Files of an operator, which the documents describe. */
const OPERATORS_FILES = new Set(["switch.json"]);
const nameOfOurs = /\.(ts|tsx|cjs|mjs|js|sql|sh|md|json|ya?ml|toml|cfg|css|html)$/;

interface Mention {
  text: string;
  offset: number;
}

/** Paths and commands that the documents name and the repository does not have. */
export function findDocumentFaults(root: string): string[] {
  const files = listFiles(root);
  const pages = files.filter((path) => documents.test(path));
  if (pages.length === 0) return ["no document to check"];

  const { scripts, packages } = readManifestNames(root, files);
  const isThere = makePathLookup(root, files);
  return pages.flatMap((page) => {
    const text = readText(root, page);
    const at = ({ offset }: Mention): string => `${page}:${lineAt(text, offset)}`;
    return [
      ...findLinks(text)
        .filter((link) => !existsSync(join(root, dirname(page), link.text)))
        .map((link) => `${at(link)}: link to ${link.text}, which does not exist`),
      ...findNamedPaths(text, root)
        .filter((path) => !packages.has(path.text) && !isThere(path.text))
        .map((path) => `${at(path)}: names ${path.text}, which does not exist`),
      ...findCommands(text)
        .filter((command) => !scripts.has(command.text))
        .map((command) => `${at(command)}: names npm run ${command.text}, which does not exist`),
    ];
  });
}

/** Relative links, without their anchors. */
function findLinks(text: string): Mention[] {
  return [...blankCode(text).matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/gm)]
    .map((match) => ({ text: (match[1] ?? match[2] ?? "").replace(/[#?].*$/, ""), offset: match.index }))
    .filter(({ text: target }) => target !== "" && !/^([a-z][a-z0-9+.-]*:|\/)/i.test(target))
    .map((link) => ({ ...link, text: decodeURIComponent(link.text) }));
}

function findNamedPaths(text: string, root: string): Mention[] {
  return [...blankFences(text).matchAll(/`([^`\n]+)`/g)]
    .map((match) => ({ text: match[1]!.replace(/:\d+$/, ""), offset: match.index }))
    .filter((mention) => looksLikePath(mention.text, root));
}

function looksLikePath(text: string, root: string): boolean {
  if (!/^[\w.@*<>{},-]+(\/[\w.@*<>{},-]+)*\/?$/.test(text) || text.startsWith("@")) return false;
  const [first = "", ...rest] = text.split("/");
  if (OPERATORS_FILES.has(text)) return false;
  if (rest.length === 0) return nameOfOurs.test(text) && !/[*<]|^\.[a-z]+$/.test(text);
  if (first === "." || first === "..") return true;
  // Build output and installed packages are named, but are not in the repository.
  if (text.includes("node_modules") || /(^|\/)dist(\/|$)/.test(text)) return false;
  return text.endsWith("/") || nameOfOurs.test(text) || existsSync(join(root, first));
}

/** File names are unique here, so a document may give the last part of a path; `<noun>` stands for any name. */
function makePathLookup(root: string, files: string[]): (path: string) => boolean {
  const folders = new Set(
    files.flatMap((path) => path.split("/").map((_, depth, parts) => parts.slice(0, depth).join("/"))),
  );
  const known = [...files, ...folders];
  return (named) => {
    const path = named.replace(/^\.\//, "").replace(/\/$/, "");
    if (path === "" || existsSync(join(root, path))) return true;
    if (/[*<{]/.test(path)) {
      const pattern = path.replace(/<[^>]*>/g, "*");
      return [pattern, `**/${pattern}`].some(
        (glob) => globSync(glob, { cwd: root, exclude: ["**/node_modules"] }).length > 0,
      );
    }
    return known.some((candidate) => candidate === path || candidate.endsWith(`/${path}`));
  };
}

function findCommands(text: string): Mention[] {
  return [...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/g)].map((match) => ({
    text: match[1]!,
    offset: match.index,
  }));
}

/** Commands one can run, and packages whose names could be taken for files (ipaddr.js). */
function readManifestNames(root: string, files: string[]): { scripts: Set<string>; packages: Set<string> } {
  type Manifest = Partial<Record<"scripts" | "dependencies" | "devDependencies", Record<string, string>>>;
  const manifests = files
    .filter((path) => /^([a-z-]+\/)?package\.json$/.test(path))
    .map((path) => readJson<Manifest>(root, path));
  return {
    scripts: new Set(manifests.flatMap(({ scripts }) => Object.keys(scripts ?? {}))),
    packages: new Set(
      manifests.flatMap(({ dependencies, devDependencies }) =>
        Object.keys({ ...dependencies, ...devDependencies }),
      ),
    ),
  };
}

function blankFences(text: string): string {
  return text.replace(/^( *)(```+|~~~+)[\s\S]*?^ *\2 *$/gm, blank);
}

function blankCode(text: string): string {
  return blankFences(text).replace(/`[^`\n]*`/g, blank);
}

/** Keeps the length, so that offsets still give the line. */
function blank(code: string): string {
  return code.replace(/[^\n]/g, " ");
}
