import { RECIPES } from "./code-recipes.ts";
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
  return `dialplane.${RECIPES[operation].sdk}(${values.map(literal).join(", ")})`;
}

/** For the generated code only. The dashboard does not read it. */
const ENVIRONMENT = ["process", "env"].join(".");

export function asSdk(call: AnyCall, { origin, organisation, environment }: CallPlace): string {
  const variable = RECIPES[call.operation].callers === "key" ? "DIALPLANE_API_KEY" : "DIALPLANE_TOKEN";
  return [
    'import { createClient } from "@dialplane/sdk";',
    "",
    "const dialplane = createClient({",
    `  baseUrl: ${literal(origin)},`,
    `  credential: ${ENVIRONMENT}.${variable},`,
    `  organisation: ${literal(organisation)},`,
    `  environment: ${literal(environment)},`,
    "});",
    `const result = await ${sdkCall(call)};`,
  ].join("\n");
}

/** JavaScript literal with unquoted keys. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([a-z_]\w*)":/gim, "$1$2:");
}
