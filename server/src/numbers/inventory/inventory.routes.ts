import { operation } from "../../app.ts";
import type { OfferedNumber } from "../carriers/carrier.ts";
import { pageOf } from "../../platform/http/page.ts";
import { InventoryPage, InventoryQuery } from "./inventory.schema.ts";
import { searchInventory } from "./inventory.ts";

const PATH = "/v1/numbers/inventory";

const searchInventoryOperation = operation({
  id: "searchInventory",
  method: "GET",
  path: PATH,
  tag: "Inventory",
  summary: "Search available numbers",
  description:
    "Without a connected inventory, `data` is empty and `carrier.connected` is false. The search covers the preferred carrier for the country, and can require `country`. Another customer can take a listed number at any time, so reserve it.",
  access: { callers: "organisation", sessions: { roles: "any" }, keys: ["numbers"] },
  idempotency: "none",
  query: InventoryQuery,
  answers: { 200: InventoryPage },
  async run(app, { actor, query }) {
    const { limit, cursor, ...filters } = query;
    const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
    const answer = await pageOf<OfferedNumber>(app, { path: PATH, of: actor, filters }, page, {
      rows: (wanted) => searchInventory(app, actor, filters, wanted),
      item: (number) => number,
      position: ({ e164 }) => e164,
    });
    const carrier = { connected: app.inventory.isConnected() };
    return { ...answer, body: { ...(answer.body as object), carrier } };
  },
});

export const inventoryOperations = [searchInventoryOperation];
