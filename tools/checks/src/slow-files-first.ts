import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest, by what CI prints at its end. Begun last, each would keep one worker busy while the other has
 * nothing left to do. Forgotten or wrong entries only cost time.
 */
const SLOW = [
  "dashboard/tests/every-page.test.ts",
  "dashboard/tests/organisation-pages.test.ts",
  "dashboard/tests/operator-pages.test.ts",
  "dashboard/tests/number-page.test.ts",
  "dashboard/tests/dashboard-outage.test.ts",
  "tools/docs-site/tests/snippets.test.ts",
  "tools/benchmarks/src/benchmarks.test.ts",
  "cli/src/carrier-kit/carrier-kit.test.ts",
  "cli/src/cli.test.ts",
  "cli/src/cli-answers.test.ts",
  "tools/packing/src/npm-packages.test.ts",
  "testing/walls/isolation-matrix.test.ts",
  "root-keys/root-keys.processes.test.ts",
  "bulk-changes/bulk-changes.races.test.ts",
  "orders/orders.dialogues.test.ts",
  "contract/contract.promises.test.ts",
  "testing/fuzz/fuzz.test.ts",
  "numbers/numbers.plans.test.ts",
  "api-keys/api-keys.revocation.test.ts",
  "orders/orders.kill-worker.test.ts",
  "carriers/outage.test.ts",
  "system-tests/src/two-switches.probes.test.ts",
  "system-tests/src/two-switches.trunks.test.ts",
  "system-tests/src/counted-calls.test.ts",
  "system-tests/src/two-switches.test.ts",
  "system-tests/src/rollback.test.ts",
];

/** Projects follow each other, so that a worker keeps what it loaded; within each, slow files come first. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (one, other) =>
        one.project.name.localeCompare(other.project.name) || placeOf(one.moduleId) - placeOf(other.moduleId),
    );
  }
}

function placeOf(path: string): number {
  const place = SLOW.findIndex((slow) => path.endsWith(slow));
  return place === -1 ? SLOW.length : place;
}
