import { createRequire } from "node:module";
import { type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet, cruise } from "dependency-cruiser";
import { listSourceFiles, readText } from "./repository-files.ts";
import { teachVisitorUsing } from "./using-declarations.ts";

teachVisitorUsing();

type Rules = IFlattenedRuleSet & { options: ICruiseOptions };
const rules = createRequire(import.meta.url)("../../../.dependency-cruiser.cjs") as Rules;

/** Imports that break a rule of .dependency-cruiser.cjs, and files whose imports cannot be read. */
export async function findImportFaults(root: string): Promise<string[]> {
  const sources = listSourceFiles(root);
  if (sources.length === 0) return ["no source file to check"];

  const places = [...new Set(sources.map((path) => path.split("/")[0]!))];
  const { output } = await cruise(places, {
    ...rules.options,
    ruleSet: rules,
    validate: true,
    baseDir: root,
  });
  const { modules, summary } = output as ICruiseResult;

  const importsOf = new Map(modules.map((module) => [module.source, module.dependencies.length]));
  return [
    ...sources.filter((path) => !importsOf.has(path)).map((path) => `${path}: not read`),
    ...sources
      .filter((path) => importsOf.get(path) === 0 && /^import\s/m.test(readText(root, path)))
      .map((path) => `${path}: read, but none of its imports was seen`),
    ...summary.violations.map(({ rule, from, to }) => `${from} → ${to}: ${rule.name}`),
  ];
}
