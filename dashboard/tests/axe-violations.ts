import axe from "axe-core";
import type { Visit } from "./visit.ts";

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

interface Look {
  /** An open menu belongs to its button, not to a part of the page: axe's advice on landmarks does not fit it. */
  isMenu: boolean;
  /** For a document that has been looked at whole and has changed its colours since: only those can be wrong now. */
  isRepainted: boolean;
  /** Looks only at the open dialog or menu, if there is one: another scene covers the page under it. */
  isPart: boolean;
}

const OPEN_PART = "document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')";

/** axe is put in by the browser's debugger, which the policy does not bind; once for each document. */
export async function violationsOf(
  { page }: Visit,
  { isMenu, isRepainted, isPart }: Look,
): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const options = JSON.stringify({
    resultTypes: ["violations"],
    // Only rules on media and rotated screens need files that axe would load again.
    preload: false,
    ...(isRepainted
      ? { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }
      : { rules: { region: { enabled: !isMenu } } }),
  });
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${isPart ? `${OPEN_PART} ?? document` : "document"}, ${options}).then((result) => result.violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
}
