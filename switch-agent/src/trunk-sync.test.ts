import { expect, onTestFinished, test } from "vitest";
import { SimulatedTrunks } from "./simulated/simulated-trunks.ts";
import type { SentTrunkList, TrunkReport, TrunkValue } from "./trunk-list.ts";
import { startTrunkSync } from "./trunk-sync.ts";

const ignore = (): void => undefined;
const log = { info: ignore, warn: ignore, error: ignore };
const timing = { everyMs: 5, readMs: 20, retryMinMs: 5, retryMaxMs: 20 };

const acme: TrunkValue = {
  name: "acme",
  direction: "in",
  sources: ["192.0.2.1"],
  transport: "udp",
  nat: false,
  number_format: { international_prefix: "", national_prefix: "", country_code: "", technical_prefix: "" },
  trusts_identity: false,
  max_calls: 0,
  gateway: null,
};
const list: SentTrunkList = { etag: "one", trunks: [acme], forwarding: null, passwords: {} };

/** A service that sends its list to every switch that reports another. */
class ScriptedService {
  desired: SentTrunkList | null = null;
  isDown = false;
  readonly reports: TrunkReport[] = [];

  async sync(report: TrunkReport): Promise<SentTrunkList | null> {
    if (this.isDown) throw new Error("down");
    this.reports.push(report);
    return this.desired === null || this.desired.etag === report.etag ? null : this.desired;
  }
}

function startSync(driver = new SimulatedTrunks()) {
  const service = new ScriptedService();
  const sync = startTrunkSync({ driver, service, log, timing });
  onTestFinished(() => sync.stop());
  return { driver, service };
}

const last = (service: ScriptedService): TrunkReport | undefined => service.reports.at(-1);

test("leaves the switch alone until the service has a list, then sets it and reports it", async () => {
  const { service, driver } = startSync();
  driver.drift({ trunks: [{ ...acme, name: "own" }], forwarding: null });
  await expect.poll(() => last(service)?.trunks).toMatchObject([{ name: "own" }]);
  expect(last(service)?.etag).toBeNull();
  service.desired = list;
  await expect
    .poll(() => last(service))
    .toEqual({
      etag: "one",
      trunks: [{ name: "acme", found: acme, error: "" }],
      forwarding: { found: null, error: "" },
    });
});

test("reports a difference before it repairs it", async () => {
  const { service, driver } = startSync();
  service.desired = list;
  await expect.poll(() => last(service)?.etag).toBe("one");
  const other = { ...acme, sources: ["0.0.0.0/1"] };
  driver.drift({ trunks: [other], forwarding: null });
  await expect
    .poll(() => service.reports.some(({ trunks }) => trunks[0]?.found?.sources[0] === "0.0.0.0/1"))
    .toBe(true);
  await expect.poll(() => last(service)?.trunks[0]?.found).toEqual(acme);
});

test("repairs a difference without the service too, and reports to it once it is back", async () => {
  const { service, driver } = startSync();
  service.desired = list;
  await expect.poll(() => last(service)?.etag).toBe("one");
  service.isDown = true;
  driver.drift({ trunks: [], forwarding: null });
  await expect.poll(async () => (await driver.readTrunks()).isAsDesired).toBe(true);
  service.desired = { ...list, etag: "two" };
  service.isDown = false;
  await expect.poll(() => last(service)?.etag).toBe("two");
});

test("does not set trunks all the time on a switch that keeps none", async () => {
  let sets = 0;
  class Forgetful extends SimulatedTrunks {
    override async repairTrunks(): Promise<void> {
      sets++;
    }
  }
  const service = new ScriptedService();
  service.desired = list;
  const sync = startTrunkSync({
    driver: new Forgetful(),
    service,
    log,
    timing: { ...timing, everyMs: 100_000 },
  });
  onTestFinished(() => sync.stop());
  await expect.poll(() => service.reports.length).toBeGreaterThanOrEqual(3);
  const before = sets;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sets - before).toBeLessThanOrEqual(1);
});

test("says nothing about a switch that cannot change its trunks yet", async () => {
  const driver = new SimulatedTrunks();
  let looks = 0;
  const features = { get: () => (looks++, []) };
  const { service } = startSync(Object.defineProperty(driver, "features", features));
  await expect.poll(() => looks).toBeGreaterThan(3);
  expect(service.reports).toEqual([]);
});
