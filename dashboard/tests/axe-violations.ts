import axe from "axe-core";
import type { Visit } from "./visit.ts";

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** axe is put in by the browser's debugger, which the policy does not bind. */
export async function violationsOf({ page }: Visit, isMenu: boolean): Promise<string[]> {
  await page.evaluate(axe.source);
  const rules = JSON.stringify({ rules: { region: { enabled: !isMenu } } });
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${rules}).then((result) => result.violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
}
