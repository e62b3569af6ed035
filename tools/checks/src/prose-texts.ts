import { parseSync } from "oxc-parser";
import { lineAt, listFiles, readText } from "./repository-files.ts";
import { childrenOf, nameOf, type SyntaxNode, textOf } from "./syntax-tree.ts";

export type ProseArea =
  | "docs"
  | "decisions"
  | "reference"
  | "errors"
  | "cli"
  | "dashboard"
  | "strings"
  | "comments"
  | "identifiers"
  | "sql"
  | "kamailio"
  | "tests";

export interface ProseText {
  area: ProseArea;
  path: string;
  line: number;
  text: string;
}

/** Text that a person reads, with the area it belongs to. */
interface Found {
  area: ProseArea;
  offset: number;
  text: string;
}

/** Generated pages repeat the texts of their sources. */
const GENERATED =
  /^docs\/(?:errors|access|limits|configuration)\.md$|generated|\.d\.ts$|schema\.sql$|\.snap$|openapi\.released\.json$/;
const TEST = /\.test\.tsx?$|\/testing\/|\/tests?\/|^system-tests\/|^tools\/checks\//;

export function readTexts(root: string): ProseText[] {
  return listFiles(root)
    .filter((path) => !GENERATED.test(path))
    .flatMap((path) => {
      const read = readerOf(path);
      if (!read) return [];
      const source = readText(root, path);
      return read(source, path).flatMap((found) => proseOf(found, path, source));
    });
}

function readerOf(path: string): ((source: string, path: string) => Found[]) | undefined {
  if (path.startsWith("docs/decisions/")) return (source) => markdown("decisions", source);
  if (/^(?:docs\/(?:recipes\/)?[\w-]+|[A-Z_]+|server\/src\/\w+\/AREA)\.md$/.test(path))
    return (source) => markdown("docs", source);
  if (/^openapi(?:\.\w+)?\.json$/.test(path)) return reference;
  if (path.endsWith(".sql")) return sql;
  if (path === "kamailio/kamailio.cfg") return kamailio;
  if (/\.tsx?$/.test(path)) return typescript;
  return undefined;
}

function proseOf({ area, offset, text }: Found, path: string, source: string): ProseText[] {
  const plain = text
    .replaceAll(/`[^`]*`/g, "``")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/\s+/g, " ")
    .trim();
  const isProse = area === "identifiers" || /[A-Za-z]{2} [a-z]/.test(plain);
  return isProse ? [{ area, path, line: lineAt(source, offset), text: plain }] : [];
}

function markdown(area: ProseArea, source: string): Found[] {
  let offset = 0;
  let isCode = false;
  return source.split("\n").flatMap((line) => {
    const start = offset;
    offset += line.length + 1;
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    return isCode ? [] : [{ area, offset: start, text: line.replace(/^[#>*\-|\s\d.]+/, "") }];
  });
}

/** Summaries and descriptions. Each text counts once, however often the contract repeats it. */
function reference(source: string): Found[] {
  const texts = new Set<string>();
  JSON.parse(source, (key, value: unknown) => {
    if ((key === "summary" || key === "description") && typeof value === "string") texts.add(value);
    return value;
  });
  return [...texts].map((text) => ({ area: "reference", offset: 0, text }));
}

/** Comment lines that follow each other are one text, and so are the parts of a `comment on`. */
function sql(source: string): Found[] {
  const comments = source.matchAll(/(?:^|(?<=[;,] ))[ \t]*--.*(?:\n[ \t]*--.*)*/gm);
  const statements = source.matchAll(/^comment on [^']*((?:'(?:[^']|'')*'\s*)+);/gm);
  return [
    ...[...comments].map(({ 0: text, index }) => ({ offset: index, text: text.replaceAll(/^\s*--/gm, "") })),
    ...[...statements].map(({ 1: text, index }) => ({
      offset: index,
      text: text!
        .replaceAll(/'\s*\n\s*'/g, "")
        .replaceAll("''", "’")
        .replaceAll("'", "")
        .replaceAll("’", "'"),
    })),
  ].map((found) => ({ area: "sql", ...found }));
}

function kamailio(source: string): Found[] {
  const comments = source.matchAll(/(?:^|(?<=\s))#(?!!)\s.*(?:\n[ \t]*#(?!!)\s.*)*/gm);
  return [...comments].map(({ 0: text, index }) => {
    return { area: "kamailio", offset: index, text: text.replaceAll(/^\s*#/gm, "") };
  });
}

function typescript(source: string, path: string): Found[] {
  const { comments, program } = parseSync(path, source);
  const isTest = TEST.test(path);
  const found: Found[] = joinLines(source, comments).map(({ start, value }) => {
    return { area: isTest ? "tests" : "comments", offset: start, text: value.replaceAll(/^\s*\*+ ?/gm, "") };
  });
  if (isTest) return [...found, ...testNames(source)];
  const area = areaOfStrings(path);
  walk(program as unknown as SyntaxNode, (node) => {
    const text = area && textOf(node);
    if (text && /[A-Za-z] [a-z]/.test(text) && !SQL_START.test(text))
      found.push({ area, offset: node.start, text });
    const name = declaredName(node);
    if (name) found.push({ area: "identifiers", offset: node.start, text: wordsOf(name) });
  });
  return found;
}

interface Comment {
  type: string;
  start: number;
  end: number;
  value: string;
}

/** Line comments that follow each other are one text. */
function joinLines(source: string, comments: readonly Comment[]): { start: number; value: string }[] {
  const joined: Comment[] = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const follows = last && last.type === "Line" && comment.type === "Line";
    if (follows && /^\s*$/.test(source.slice(last.end, comment.start))) {
      last.value += `\n${comment.value}`;
      last.end = comment.end;
    } else joined.push({ ...comment });
  }
  return joined;
}

function testNames(source: string): Found[] {
  const names = source.matchAll(/\b(?:test|it|describe)(?:\.\w+)*\(\s*(["'`])((?:\\.|(?!\1).)*)\1/g);
  // Names of test.each follow its table.
  const ofTables = source.matchAll(/\)\(\s*(["'`])((?:\\.|(?!\1).)*)\1,\s*(?:async\b|\(|\{)/g);
  return [...names, ...ofTables].map(({ 2: text, index }) => ({ area: "tests", offset: index, text: text! }));
}

function areaOfStrings(path: string): ProseArea | undefined {
  if (/\/error-[a-z-]+\.ts$/.test(path)) return "errors";
  if (/^(?:cli|demo)\//.test(path)) return "cli";
  if (path.startsWith("dashboard/src/")) return "dashboard";
  // The contract has these texts.
  if (/\.(?:routes|schema)\.ts$|\/contract\//.test(path)) return undefined;
  return /^(?:server|switch-agent)\/src\//.test(path) ? "strings" : undefined;
}

const SQL_START =
  /^\s*(?:select|insert|update|delete|with|create|alter|grant|begin|lock|set|drop|and|or|where|from)\b/i;
const ATTRIBUTES_WITHOUT_PROSE =
  /^(?:className|class|d|id|to|href|type|role|name|autoComplete|key|from|viewBox|variant|tone|rel)$/;

function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  if (node.type === "ImportDeclaration" || node.type === "TSLiteralType") return;
  if (node.type === "JSXAttribute" && ATTRIBUTES_WITHOUT_PROSE.test(nameOf(node["name"]) ?? "")) return;
  visit(node);
  for (const child of childrenOf(node)) walk(child, visit);
}

/** The name that a node gives to a function, a type or a variable. */
function declaredName(node: SyntaxNode): string | undefined {
  if (
    /^(?:FunctionDeclaration|ClassDeclaration|TS(?:InterfaceDeclaration|TypeAliasDeclaration))$/.test(
      node.type,
    )
  )
    return nameOf(node["id"]);
  if (node.type === "VariableDeclarator") return nameOf(node["id"]);
  return undefined;
}

/** `rejectDestination` and `REJECT_DESTINATION` both become "reject destination". */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}
