import { expect, test } from "vitest";
import { writeWhileKilling } from "./service/sdk-writes.ts";

test(
  "2,000 calls of the SDK happen exactly once each, though the service is killed 100 times among them",
  { timeout: 3_000_000 },
  async () => {
    const result = await writeWhileKilling({ writes: 2_000, kills: 100 });
    console.log("SDK, killed:", JSON.stringify(result));
    expect(result).toMatchObject({ notOnce: {}, kills: 100, writes: 2_000 });
    expect(result.replays, "some answers were lost after the deed").toBeGreaterThan(0);
  },
);
