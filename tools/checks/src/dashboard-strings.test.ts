import { expect, test } from "vitest";
import { findDashboardStrings } from "./dashboard-strings.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("finds no text outside the dashboard's catalogues", () => {
  expect(findDashboardStrings(repositoryRoot)).toEqual([]);
});

const FAULTS: Record<string, string> = {
  "JSX text": "<p>Saved</p>",
  "text next to an element": "<p>{name} saved</p>",
  "a string in braces": '<p>{"Saved"}</p>',
  "a branch of a condition": '<p>{isSaved ? text.saved : "Not saved"}</p>',
  "a default value": '<p>{label ?? "No label"}</p>',
  "a template": "<p>{`Saved ${name}`}</p>",
  "an attribute": '<Field label="Name" />',
  "a template in an attribute": "<button aria-label={`Remove ${name}`} />",
  "the name of a component": '<Figure name="Calls" />',
  "a property": '[{ value: 1, label: "Chart" }]',
  "a toast": 'tellDone("Saved")',
};

test.each(Object.entries(FAULTS))("finds %s", (_, code) => {
  using tree = plantTree({ "dashboard/src/numbers/NumberPage.tsx": `\nexport const shown = ${code};\n` });
  expect(findDashboardStrings(tree.root)).toEqual([expect.stringMatching(/NumberPage\.tsx:2: /)]);
});

test("accepts catalogues, symbols, technical values and other files", () => {
  using tree = plantTree({
    "dashboard/src/numbers/NumberPage.tsx": `
      export const shown = (
        <form name="edit" className="grid gap-2" onSubmit={() => send("number changed")}>
          <input type="search" placeholder={numbersText.search} aria-label={numbersText.search} />
          {count}: {name ?? "–"}, {\`\${rate} %\`} {kind === "order" && numbersText.order}
        </form>
      );`,
    "dashboard/src/numbers/numbers-text.ts": 'export const numbersText = { saved: "Number saved" };',
    "dashboard/tests/number-page.test.ts": 'page.getByText("Number saved");',
    "tools/docs-site/src/page.tsx": "export const page = <p>Text</p>;",
  });
  expect(findDashboardStrings(tree.root)).toEqual([]);
});
