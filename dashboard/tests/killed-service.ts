import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { bearer, type Person, type Service, startService, until } from "../../server/testing/service.ts";
import { type ServerProcess, startProcess } from "../../server/testing/server-process.ts";
import { openBrowser, type Visit, visit } from "./visit.ts";

/** A worker that stays, and pages that are served by a process that is killed. */
export interface KilledService extends AsyncDisposable {
  service: Service;
  organisation: string;
  owner: Person;
  enter(): Promise<Visit>;
  /** Killed as the kernel would, and started again at the same place; the page is never reloaded. */
  away(page: Page, act: () => Promise<void>): Promise<void>;
  /** How many a list of the test environment has. */
  countOf(path: string): Promise<number>;
}

export async function startKilledService(settings: Record<string, string>): Promise<KilledService> {
  const service = await startService({ worker: true, settings });
  let api: ServerProcess = await startProcess({ databaseUrl: service.database.url, settings });
  const browser: Browser = await openBrowser();
  const organisation = await service.organisation("Northwind");
  const owner = await service.person({ [organisation]: "owner" });
  return {
    service,
    organisation,
    owner,
    enter: () => visit(browser, { ...service, url: api.url }, { as: owner }),
    async away(page, act) {
      const port = Number(new URL(api.url).port);
      await page.evaluate("window.isSamePage = true");
      await api.kill();
      try {
        await act();
      } finally {
        api = await startProcess({ databaseUrl: service.database.url, port, settings });
      }
      expect(await page.evaluate("window.isSamePage")).toBe(true);
    },
    async countOf(path) {
      const headers = {
        ...bearer(owner.token),
        "x-service-org": organisation,
        "x-service-environment": "test",
      };
      const { body } = await until(async () => {
        const sent = await service.send("GET", path, { headers });
        return sent.status === 200 && sent;
      });
      return (body as { data: unknown[] }).data.length;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await api[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

export async function saysSilent(page: Page): Promise<void> {
  await page.getByText("Can't reach the service").first().waitFor();
}
