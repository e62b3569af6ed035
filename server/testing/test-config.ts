import { type Config, readConfig, type Settings } from "../src/config.ts";

/** Random bytes, fixed: roles are shared by all databases of a cluster, so their passwords must not change between tests. */
export const TEST_SECRET = "k8Jt0nWZ3sQm5vXy7rBc9dFg1hLp2iEa4oUu6jNz8wKq0xSb2eHf4gTd6yVm8cRl";

export function testConfig(databaseUrl: string, settings: Settings = {}): Config {
  return readConfig({
    DIALPLANE_MODE: "development",
    BASE_URL: "http://127.0.0.1:8080",
    MASTER_SECRET: TEST_SECRET,
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: "4",
    DATABASE_CONNECTIONS_PER_ORGANISATION: "4",
    // So that changes race in the database, as those of several processes do.
    DATABASE_WRITES_PER_ORGANISATION: "4",
    PORT: "0",
    METRICS_PORT: "0",
    LOG_LEVEL: "silent",
    ANNOUNCE_DRAIN_SECONDS: "0",
    LIMIT_REQUESTS_PER_SECOND: "100000",
    LIMIT_REQUEST_BURST: "100000",
    LIMIT_WRITES_PER_SECOND: "100000",
    LIMIT_FLOOD_PER_SECOND: "100000",
    LIMIT_SIGN_INS_PER_MINUTE: "1000",
    OPERATOR_SECOND_FACTOR: "optional",
    LIMIT_INVITATIONS_PER_DAY: "100000",
    LIMIT_ORDERS_PER_SECOND: "100000",
    LIMIT_ORDERED_NUMBERS_PER_DAY: "1000000",
    ...settings,
  });
}
