import type { TestProject } from "vitest/node";
import { startPooler } from "./pooler.ts";
import { startPrivateCluster } from "../src/platform/db/private-cluster.ts";
import { migrateDatabase } from "../src/start.ts";
import { testConfig } from "./test-config.ts";
import { onCluster, TEMPLATE } from "./test-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    clusterUrl: string;
    isPooled: boolean;
    /** PgBouncer, with `--mode pooler`. */
    pooler: { url: string; statements: "named" | "unnamed" } | undefined;
  }
}

/** One cluster for the whole run, with one migrated template; DATABASE_URL names another to use instead. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["DATABASE_URL"];
  // Durability tests use separate clusters. Here only speed matters.
  const cluster = given
    ? undefined
    : await startPrivateCluster({
        settings: {
          fsync: "off",
          synchronous_commit: "off",
          full_page_writes: "off",
          max_connections: "400",
          jit: "off",
        },
      });
  const clusterUrl = given ?? cluster!.url;
  await onCluster(clusterUrl, `drop database if exists ${TEMPLATE} with (force)`);
  await onCluster(clusterUrl, `create database ${TEMPLATE}`);
  const template = new URL(clusterUrl);
  template.pathname = `/${TEMPLATE}`;
  await migrateDatabase(testConfig(template.href));
  project.provide("clusterUrl", clusterUrl);
  const pooler = project.getProvidedContext().isPooled
    ? await startPooler(clusterUrl, { poolSize: 4 })
    : undefined;
  if (pooler) project.provide("pooler", { url: pooler.urlOf(clusterUrl), statements: pooler.statements });
  return async () => {
    await pooler?.[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
  };
}
