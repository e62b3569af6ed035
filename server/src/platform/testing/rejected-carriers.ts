import { startDidwwServer } from "../../numbers/carriers/testing/didww-server/didww-server.ts";
import { newId } from "../../platform/ids.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, startService } from "../../../testing/service.ts";
import { holdNumber } from "../../../testing/stock.ts";

type Codes =
  | "carrier_not_found"
  | "carrier_name_taken"
  | "carrier_in_use"
  | "carrier_check_failed"
  | "carrier_refused"
  | "no_carrier";

/** A request for each code about carriers. They have their own service: a carrier changes the orders of all others. */
export function rejectedCarriers(): Record<Codes, () => Promise<Sent>> {
  return {
    carrier_not_found: () =>
      withPool(async ({ post }) => post("/operator/v1/reconciliations", { carrier: "nobody" })),
    carrier_name_taken: () =>
      withPool(async ({ post }) => post("/operator/v1/carriers", { name: "pool", kind: "pool" })),
    carrier_in_use: () =>
      withPool(async ({ service, organisation, id, patch }) => {
        const held = await holdNumber(service.app, organisation, "live");
        await service.database.admin("update holdings set carrier = 'pool' where id = $1", [held.id]);
        return patch(`/operator/v1/carriers/${id}`, { state: "closed" });
      }),
    carrier_check_failed: () =>
      withPool(async ({ post }) =>
        post("/operator/v1/carriers", {
          name: "example",
          kind: "http",
          url: "http://127.0.0.1:9",
          credentials: { secret: "of-client-and-server" },
        }),
      ),
    carrier_refused: () =>
      withPool(async ({ post }) => {
        await using didww = await startDidwwServer({ mostHeld: 0 });
        didww.stock([{ e164: "+12015550100" }]);
        const { url, apiKey } = didww;
        const credentials = { api_key: apiKey };
        await post("/operator/v1/carriers", {
          name: "didww",
          kind: "didww",
          url,
          credentials,
          preference: 1,
        });
        return await post("/v1/numbers/reservations", { numbers: ["+12015550100"] });
      }),
    no_carrier: () =>
      withPool(async ({ id, patch, post }) => {
        await patch(`/operator/v1/carriers/${id}`, { countries: ["AQ"] });
        return post("/v1/numbers/orders", { numbers: ["+442079460001"] });
      }),
  };
}

async function withPool(
  work: (of: {
    service: Awaited<ReturnType<typeof startService>>;
    organisation: string;
    /** ID of the carrier. */
    id: string;
    post(path: string, body: unknown): Promise<Sent>;
    patch(path: string, body: unknown): Promise<Sent>;
  }) => Promise<Sent>,
): Promise<Sent> {
  await using service = await startService();
  const organisation = await service.organisation();
  const { token, userId } = await service.person({ [organisation]: "owner" });
  await service.database.admin("update users set is_operator = true where id = $1", [userId]);
  const headers = () => ({ ...bearer(token), "idempotency-key": newId() });
  const post = (path: string, body: unknown) => service.send("POST", path, { headers: headers(), body });
  const patch = (path: string, body: unknown) => service.send("PATCH", path, { headers: headers(), body });
  const { body } = await post("/operator/v1/carriers", { name: "pool", kind: "pool" });
  return await work({ service, organisation, id: body.id, post, patch });
}
