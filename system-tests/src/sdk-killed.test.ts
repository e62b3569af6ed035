import { expect, test } from "vitest";
import { writeWhileKilling } from "./service/sdk-writes.ts";

test(
  "every call of the SDK that changes something happens exactly once, though the service is killed among them",
  { timeout: 600_000 },
  async () => {
    const { notOnce, kills, requests, writes } = await writeWhileKilling({ writes: 60, kills: 3 });
    expect(notOnce).toEqual({});
    expect(kills).toBe(3);
    expect(requests, "some calls had to be tried again").toBeGreaterThan(writes);
  },
);
