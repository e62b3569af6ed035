import { createRequire } from "node:module";

interface Statement {
  type: string;
  decls?: unknown[];
}

interface VisitorMethods {
  visitStatement(this: VisitorMethods, statement: Statement): Statement;
  visitVariableDeclarators(declarators: unknown[]): unknown[];
}

/**
 * dependency-cruiser walks syntax trees with swc's visitor, which gives up on `using` ("Unknown statement type:
 * UsingDeclaration", @swc/core 1.16). To a reader of imports it is a `const`.
 */
export function teachVisitorUsing(): void {
  const { Visitor } = createRequire(import.meta.url)("@swc/core/Visitor.js") as {
    Visitor: { prototype: VisitorMethods };
  };
  const { visitStatement } = Visitor.prototype;
  Visitor.prototype.visitStatement = function (statement) {
    if (statement.type !== "UsingDeclaration") return visitStatement.call(this, statement);
    this.visitVariableDeclarators(statement.decls ?? []);
    return statement;
  };
}
