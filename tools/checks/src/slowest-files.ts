import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 10;

/** Prints the test files that took longest, so that a slow one is noticed in the change that made it slow. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = describeSlowest(
      modules.map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) })),
    );
    console.log(["", "Slowest files:", ...lines].join("\n"));
  }
}

export function describeSlowest(files: readonly { file: string; seconds: number }[]): string[] {
  return files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SHOWN)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

/** Includes imports and hooks: they cost as much as tests do. */
function secondsOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;
}
