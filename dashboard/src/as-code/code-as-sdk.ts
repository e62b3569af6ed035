import { isOperators, recipeOf } from "./code-recipes.ts";
import type { AnyCall, CallPlace } from "./shown-call.ts";

/** Call with path parameters, body or query, and options. */
export function sdkCall(call: AnyCall): string {
  const { operation, path = {}, query, body, ifGeneration } = call;
  const given = operation === "readLive" ? query?.["ids"] : (body ?? query);
  const values = [
    ...Object.values(path),
    ...(given === undefined ? [] : [given]),
    ...(ifGeneration === undefined ? [] : [{ ifGeneration }]),
  ];
  const client = isOperators(operation) ? "operator" : "dialplane";
  return `${client}.${recipeOf(operation).sdk}(${values.map(literal).join(", ")})`;
}

/** For the generated code only. The dashboard does not read it. */
const ENVIRONMENT = ["process", "env"].join(".");

export function asSdk(call: AnyCall, { origin, inside }: CallPlace): string {
  const variable = recipeOf(call.operation).callers === "key" ? "DIALPLANE_API_KEY" : "DIALPLANE_TOKEN";
  const beginning = isOperators(call.operation)
    ? [
        'import { createOperatorClient } from "@dialplane/sdk/operator";',
        "",
        "const operator = createOperatorClient({",
      ]
    : ['import { createClient } from "@dialplane/sdk";', "", "const dialplane = createClient({"];
  return [
    ...beginning,
    `  baseUrl: ${literal(origin)},`,
    `  credential: ${ENVIRONMENT}.${variable},`,
    ...(inside
      ? [`  organisation: ${literal(inside.organisation)},`, `  environment: ${literal(inside.environment)},`]
      : []),
    "});",
    `const result = await ${sdkCall(call)};`,
  ].join("\n");
}

/** JavaScript literal with unquoted keys. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([a-z_]\w*)":/gim, "$1$2:");
}
