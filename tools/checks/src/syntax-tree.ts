/** A node of oxc-parser's tree, with only the fields that every node has. */
export interface SyntaxNode {
  type: string;
  start: number;
  [key: string]: unknown;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value;
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

export function nameOf(value: unknown): string | undefined {
  return isNode(value) && typeof value["name"] === "string" ? value["name"] : undefined;
}

/** Text of a string, a template or JSX. Expressions in a template become `{}`. */
export function textOf(node: SyntaxNode): string | undefined {
  if (node.type === "JSXText" || (node.type === "Literal" && typeof node["value"] === "string"))
    return node["value"] as string;
  if (node.type !== "TemplateLiteral") return undefined;
  return (node["quasis"] as { value: { cooked: string } }[]).map((part) => part.value.cooked).join("{}");
}
