import type { Country, GroupType } from "./didww-records.ts";
import { is, kind, never } from "./didww-kind.ts";

export const COUNTRY = kind<Country>("countries", {
  attributes: ({ iso }) => ({ name: iso, prefix: "1", iso }),
  relations: { regions: { read: () => [] } },
  filters: {
    is_available: is(() => true),
    iso: is(({ iso }) => iso),
    name: is(({ iso }) => iso),
    prefix: never,
  },
  sorts: ["iso", "name", "prefix"],
  isPaged: false,
});

export const GROUP_TYPE = kind<GroupType>("did_group_types", {
  attributes: ({ name }) => ({ name }),
  filters: { name: is(({ name }) => name) },
  sorts: ["name"],
});
