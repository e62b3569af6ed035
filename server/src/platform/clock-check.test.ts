import { expect, test, vi } from "vitest";
import { startService } from "../../testing/service.ts";
import { checkClockChore } from "./clock-check.ts";

test("reports a clock that differs from the database's in the log and the metrics", async () => {
  await using service = await startService();
  const error = vi.spyOn(service.app.log, "error").mockImplementation(() => {});
  const offset = async (): Promise<number> => {
    await checkClockChore.run(service.app);
    return (await service.app.metrics.clockOffset.get()).values[0]!.value;
  };

  expect(Math.abs(await offset())).toBeLessThan(1);
  expect(error).not.toHaveBeenCalled();
  service.clock.advance(10_000);
  expect(Math.abs((await offset()) - 10)).toBeLessThan(1);
  expect(error).toHaveBeenCalledOnce();
});
