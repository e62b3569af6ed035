import { expect, test } from "vitest";
import { ControlPlaneError } from "../control-plane-error.ts";
import { eventually } from "../testing/agent-bench.ts";
import { openKamailioBench } from "../testing/kamailio-bench.ts";

test("keeps routing with a rejected credential, and rejects calls while retired", async () => {
  const bench = await openKamailioBench();
  const draining = () => bench.held("sys", "draining");
  bench.control.rejection = new ControlPlaneError(401, "unauthenticated", "No such credential.");
  bench.start({ deniedMs: 20 });
  await eventually(() => bench.control.followed.length > 3);
  expect(await draining()).not.toBe("1");

  bench.control.rejection = new ControlPlaneError(403, "switch_retired", "Retired.");
  await expect.poll(draining).toBe("1");
  await bench.stop();
  await bench.kamailio.restart();
  expect(await draining()).toBe("1");

  bench.control.rejection = undefined;
  bench.start();
  await eventually(() => bench.control.openLines() === 1);
  bench.control.send({ type: "state", state: "active" });
  await expect.poll(draining).toBe("0");
});
