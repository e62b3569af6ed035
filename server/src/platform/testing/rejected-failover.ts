import { randomUUID } from "node:crypto";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, startService } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";

/** A routing with failover, set while a switch has not reported that it supports it. */
export async function rejectedFailover(): Promise<Sent> {
  await using service = await startService();
  const organisation = await service.organisation();
  const { token } = await service.person({ [organisation]: "owner" });
  const [number] = await seedNumbers(service.app, organisation, "live", 1);
  await makeSwitch(service);
  return await service.send("PUT", `/v1/numbers/${number!.id}/routing`, {
    headers: { ...bearer(token), "idempotency-key": randomUUID() },
    body: { mode: "sip_uri", sip_uri: "sip:a@pbx.example.com", ring_seconds: 20 },
  });
}
