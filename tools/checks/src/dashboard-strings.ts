import { parseSync } from "oxc-parser";
import { lineAt, listFiles, readText } from "./repository-files.ts";
import { childrenOf, nameOf, type SyntaxNode, textOf } from "./syntax-tree.ts";

/** Attributes and properties whose value users read. */
const SHOWN =
  /^(?:title|label|aria-label|placeholder|alt|says|hint|description|lead|below|action|cancel|of|term|detail|caption|heading|header|required|message)$/;
/** Functions that show their arguments. */
const SHOWING = /^(?:tellDone|useTitle)$/;
/** Words, but not a CSS function such as minmax(6rem, 1fr). */
const HAS_WORD = /^(?!\w+\(.*\)$).*\p{L}{2}/su;

/** Components that contain text themselves. Strings belong into the `<folder>-text.ts` of the component. */
export function findDashboardStrings(root: string): string[] {
  return listFiles(root)
    .filter((path) => /^dashboard\/src\/.*\.tsx$/.test(path))
    .flatMap((path) => {
      const source = readText(root, path);
      const { program } = parseSync(path, source);
      return shownTexts(program as unknown as SyntaxNode).map(
        ({ start, text }) => `${path}:${lineAt(source, start)}: ${text.trim().replaceAll(/\s+/g, " ")}`,
      );
    });
}

interface ShownText {
  start: number;
  text: string;
}

function shownTexts(node: SyntaxNode): ShownText[] {
  const found = shownValues(node).flatMap(wordsIn);
  return [...found, ...childrenOf(node).flatMap(shownTexts)];
}

/** Parts of a node that users read. */
function shownValues(node: SyntaxNode): SyntaxNode[] {
  switch (node.type) {
    case "JSXElement":
    case "JSXFragment":
      return node["children"] as SyntaxNode[];
    case "JSXOpeningElement":
      return (node["attributes"] as SyntaxNode[]).flatMap((attribute) =>
        isShownAttribute(attribute, node) ? childrenOf(attribute).slice(1) : [],
      );
    case "Property":
      return SHOWN.test(nameOf(node["key"]) ?? "") ? [node["value"] as SyntaxNode] : [];
    case "CallExpression":
      return SHOWING.test(nameOf(node["callee"]) ?? "") ? (node["arguments"] as SyntaxNode[]) : [];
    default:
      return [];
  }
}

/** The `name` of an HTML element is technical. Our components show theirs. */
function isShownAttribute(attribute: SyntaxNode, element: SyntaxNode): boolean {
  const name = nameOf(attribute["name"]) ?? "";
  return SHOWN.test(name) || (name === "name" && /^[A-Z]/.test(nameOf(element["name"]) ?? ""));
}

/** Texts with words in a value, also in the branches of a condition. */
function wordsIn(node: SyntaxNode): ShownText[] {
  const text = textOf(node);
  if (text !== undefined) return HAS_WORD.test(text) ? [{ start: node.start, text }] : [];
  if (node.type === "ConditionalExpression")
    return [node["consequent"], node["alternate"]].flatMap((branch) => wordsIn(branch as SyntaxNode));
  if (node.type === "LogicalExpression")
    return [node["left"], node["right"]].flatMap((branch) => wordsIn(branch as SyntaxNode));
  return node.type === "JSXExpressionContainer" ? wordsIn(node["expression"] as SyntaxNode) : [];
}
