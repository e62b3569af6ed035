import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Allowance, ForwardingUse } from "./allowance.ts";
import type { ForwardingNews, ForwardingReport } from "./forwarding-service.ts";
import { startForwardingSync } from "./forwarding-sync.ts";
import { SimulatedForwarding } from "./simulated/simulated-forwarding.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const timing = { everyMs: 5, retryMinMs: 1, retryMaxMs: 5 };
const allowance = (version: number, calls: number, organisationId = "one"): Allowance => ({
  organisationId,
  version,
  callsAtOnce: null,
  calls,
  seconds: null,
  caller: "pass",
  identity: "keep",
});

class RecordedService {
  readonly reports: ForwardingReport[] = [];
  news: ForwardingNews = { isComplete: false, allowances: [] };
  isAway = false;

  async sync(report: ForwardingReport): Promise<ForwardingNews> {
    if (this.isAway) throw new Error("away");
    this.reports.push(report);
    const { isComplete, allowances } = this.news;
    if (isComplete || report.heldVersion === 0) return { isComplete: true, allowances };
    return { isComplete, allowances: allowances.filter(({ version }) => version > report.heldVersion) };
  }
}

async function open(counted?: (day: number) => ForwardingUse[]) {
  const service = new RecordedService();
  const forwarding = new SimulatedForwarding();
  const sync = startForwardingSync({ driver: forwarding, service, log, timing, ...(counted && { counted }) });
  return { service, forwarding, [Symbol.asyncDispose]: () => sync.stop() };
}
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 2_000) throw new Error("It did not happen.");
    await pause(2);
  }
}

test("confirms an allowance only when the switch has said that it holds it", async () => {
  await using given = await open();
  const { service, forwarding } = given;
  service.news.allowances = [allowance(1, 10), allowance(2, 5, "other")];
  await until(() => service.reports.some(({ heldVersion }) => heldVersion === 2));
  expect(forwarding.listAllowances()).toEqual(service.news.allowances);
  // An operator deletes a row by hand: the next report says so, and the row comes back.
  const read = forwarding.readAllowances.bind(forwarding);
  forwarding.readAllowances = async (ids) => (await read(ids)).map(() => null);
  await until(() => service.reports.at(-1)!.heldVersion === 0);
  forwarding.readAllowances = read;
  await until(() => service.reports.at(-1)!.heldVersion === 2);
});

test("keeps its part without the service, and drops what a complete list lacks", async () => {
  await using given = await open();
  const { service, forwarding } = given;
  service.news.allowances = [allowance(1, 10), allowance(2, 5, "other")];
  await until(() => forwarding.listAllowances().length === 2);
  service.isAway = true;
  await pause(50);
  expect(forwarding.listAllowances()).toHaveLength(2);
  service.isAway = false;
  service.news = { isComplete: true, allowances: [allowance(3, 10)] };
  await until(() => forwarding.listAllowances().length === 1);
});

test("reports use when it changes, and again after a failure", async () => {
  await using given = await open();
  const { service, forwarding } = given;
  service.news.allowances = [allowance(1, 10)];
  await until(() => service.reports.some(({ use }) => use.length === 1));
  const reported = (): number => service.reports.flatMap(({ use }) => use).at(-1)!.calls;
  await until(() => service.reports.at(-1)!.use.length === 0);
  service.isAway = true;
  forwarding.begin("one", Date.now());
  await pause(30);
  service.isAway = false;
  await until(() => reported() === 1);
  await until(() => service.reports.at(-1)!.use.length === 0);
});

test("raises the use of a switch that forgot it to what records prove", async () => {
  const counted = (day: number): ForwardingUse[] => [{ organisationId: "one", day, calls: 7, seconds: 300 }];
  await using given = await open(counted);
  given.service.news.allowances = [allowance(1, 10)];
  await until(() => given.service.reports.some(({ use }) => use[0]?.calls === 7 && use[0].seconds === 300));
});
