import { type Ask } from "../carrier-http.ts";
import { allPages } from "../carrier-pages.ts";
import { pagesOf, typeOf } from "./didww.rules.ts";
import { COUNTRIES, GROUP_TYPES, TYPED_GROUPS } from "./didww.schema.ts";

const PAGE_SIZE = 1000;
/** How many IDs a filter lists at once: the address stays far below the length that servers accept. */
const IDS_AT_ONCE = 50;

/** DIDWW's IDs of countries and number types, which do not change. */
export interface Coverage {
  /** Undefined if DIDWW does not know the country. */
  country(ask: Ask, iso: string): Promise<string | undefined>;
  /** Undefined if DIDWW has no such type. */
  type(ask: Ask, type: string): Promise<string | undefined>;
  /** The type of each group. */
  typesOf(ask: Ask, groupIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export function openCoverage(): Coverage {
  const countries = new Map<string, string>();
  const types = new Map<string, string>();
  const readTypes = async (ask: Ask): Promise<void> => {
    for (const { id, attributes } of await listTypes(ask)) types.set(typeOf(attributes.name), id);
  };
  return {
    async country(ask, iso) {
      const id = countries.get(iso) ?? (await findCountry(ask, iso));
      if (id !== undefined) countries.set(iso, id);
      return id;
    },
    async type(ask, type) {
      if (!types.has(type)) await readTypes(ask);
      return types.get(type);
    },
    async typesOf(ask, groupIds) {
      if (types.size === 0) await readTypes(ask);
      const names = new Map([...types].map(([type, id]) => [id, type]));
      const groups = await listTypeIds(ask, groupIds);
      return new Map([...groups].map(([id, typeId]) => [id, names.get(typeId) ?? "other"]));
    },
  };
}

async function findCountry(ask: Ask, iso: string): Promise<string | undefined> {
  const query = { "filter[iso]": iso };
  const { data } = await ask({ method: "GET", path: "/countries", query, answer: COUNTRIES });
  return data.find(({ attributes }) => attributes.iso === iso)?.id;
}

function listTypes(ask: Ask) {
  return allPages(async (page) => {
    const query = { "page[number]": String(page), "page[size]": String(PAGE_SIZE) };
    const { data, meta } = await ask({ method: "GET", path: "/did_group_types", query, answer: GROUP_TYPES });
    return { items: data, pages: pagesOf(meta.total_records, PAGE_SIZE) };
  });
}

async function listTypeIds(ask: Ask, groupIds: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let at = 0; at < groupIds.length; at += IDS_AT_ONCE) {
    const { data } = await ask({
      method: "GET",
      path: "/did_groups",
      query: {
        "filter[id]": groupIds.slice(at, at + IDS_AT_ONCE).join(),
        include: "did_group_type",
        "page[size]": String(IDS_AT_ONCE),
      },
      answer: TYPED_GROUPS,
    });
    for (const { id, relationships } of data) {
      const type = relationships.did_group_type.data;
      if (type) found.set(id, type.id);
    }
  }
  return found;
}
