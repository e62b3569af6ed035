import { listFiles, readJson, readText } from "./repository-files.ts";

interface Contract {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

const clients = /^sdk\/src\/.+\.client\.ts$/;

/** Operations of the contract that no noun of the SDK offers: one name in HTTP, SDK and CLI. */
export function findMissingMethods(root: string): string[] {
  const nouns = listFiles(root).filter((path) => clients.test(path));
  if (nouns.length === 0) return ["sdk/src: no client to check"];
  const code = nouns.map((path) => readText(root, path)).join("\n");
  const { paths } = readJson<Contract>(root, "openapi.json");
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  );
  if (operations.length === 0) return ["openapi.json: no operation to check"];
  return operations
    .filter((operation) => !code.includes(`"${operation}"`))
    .map((operation) => `${operation}: add a line for it to its noun, sdk/src/<noun>.client.ts`);
}
