import { listFiles, readJson, readText } from "./repository-files.ts";

interface Contract {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

const clients = /^sdk\/src\/.+\.client\.ts$/;

/** The callers' contract and the operator's: the SDK offers both. */
const contracts = ["openapi.json", "openapi.operator.json"];

/** Operations of a contract that no noun of the SDK offers: one name in HTTP, SDK and CLI. */
export function findMissingMethods(root: string): string[] {
  const nouns = listFiles(root).filter((path) => clients.test(path));
  if (nouns.length === 0) return ["sdk/src: no client to check"];
  const code = nouns.map((path) => readText(root, path)).join("\n");
  return contracts.flatMap((contract) => {
    const operations = listOperations(root, contract);
    if (operations.length === 0) return [`${contract}: no operation to check`];
    return operations
      .filter((operation) => !code.includes(`"${operation}"`))
      .map((operation) => `${operation}: add a line for it to its noun, sdk/src/<noun>.client.ts`);
  });
}

function listOperations(root: string, contract: string): string[] {
  const { paths } = readJson<Contract>(root, contract);
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  );
}
