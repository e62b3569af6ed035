import { DidwwError, filterNotAllowed, notAllowed } from "./didww-errors.ts";
import type { Resource } from "./didww-records.ts";
import type { Kind, Relation } from "./didww-kind.ts";
import { FEATURES } from "./didww-kinds.ts";

const META = { api_version: "2026-04-16" };
const WHOLE = /^[1-9]\d{0,5}$/;

/** A validated query of a list. */
export interface ListQuery {
  filters: [name: string, values: string[]][];
  include: string[];
  fields: string[] | undefined;
  sort: string | undefined;
  page: number;
  size: number;
}

/** Rejects every parameter that the documentation of the list does not name. */
export function readListQuery(kind: Kind, query: URLSearchParams): ListQuery {
  const read: ListQuery = { filters: [], include: [], fields: undefined, sort: undefined, page: 1, size: 50 };
  const seen = new Set<string>();
  for (const [name, value] of query) {
    if (seen.has(name)) throw notAllowed(name);
    seen.add(name);
    const filter = /^filter\[(.+)\]$/.exec(name)?.[1];
    if (filter !== undefined) read.filters.push([filter, valuesOf(kind, filter, value)]);
    else if (name === "include") read.include = includesOf(kind, value);
    else if (name === `fields[${kind.type}]`) read.fields = value.split(",");
    else if (name === "sort" && kind.sorts.includes(value.replace(/^-/, ""))) read.sort = value;
    else if (name === "page[number]" && kind.isPaged && WHOLE.test(value)) read.page = Number(value);
    else if (name === "page[size]" && kind.isPaged && isPageSize(kind, value)) read.size = Number(value);
    else throw notAllowed(name);
  }
  return read;
}

/** A single resource takes only its relationships and its fields. */
export function readOneQuery(kind: Kind, query: URLSearchParams): Pick<ListQuery, "include" | "fields"> {
  const names = [...query.keys()];
  const unknown = names.find((name) => name !== "include" && name !== `fields[${kind.type}]`);
  if (unknown !== undefined) throw notAllowed(unknown);
  return readListQuery(kind, query);
}

function isPageSize({ mostOnAPage }: Kind, value: string): boolean {
  return WHOLE.test(value) && Number(value) <= mostOnAPage;
}

const BOOLEANS = /^(did_group\.)?(needs_registration|terminated|awaiting_registration|is_available)$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function valuesOf(kind: Kind, filter: string, value: string): string[] {
  if (!Object.hasOwn(kind.filters, filter)) throw filterNotAllowed(filter);
  const values = value.split(",");
  const isBad =
    values.includes("") ||
    (BOOLEANS.test(filter) && !/^(true|false)$/.test(value)) ||
    (filter.startsWith("created_at_") && !INSTANT.test(value)) ||
    (filter === "number_contains" && !/^\d+$/.test(value)) ||
    (filter.endsWith("features") && !values.every((one) => FEATURES.includes(one)));
  if (isBad) throw new DidwwError(400, "107", `${value} is not a valid value for ${filter}.`);
  return values;
}

function includesOf(kind: Kind, value: string): string[] {
  return value.split(",").map((path) => {
    let at: Kind | undefined = kind;
    for (const name of path.split(".")) {
      if (!at || !Object.hasOwn(at.relations, name))
        throw new DidwwError(400, "112", `${name} is not a valid includable relationship of ${kind.type}.`);
      at = at.relations[name]!.kind;
    }
    return path;
  });
}

export function listDocument(kind: Kind, records: readonly Resource[], query: ListQuery) {
  const found = records.filter((record) =>
    query.filters.every(([name, values]) => kind.filters[name]!(record, values)),
  );
  const sorted = query.sort === undefined ? found.toReversed() : sortedBy(kind, found, query.sort);
  const { page, size } = query;
  const shown = kind.isPaged ? sorted.slice((page - 1) * size, page * size) : sorted;
  const last = Math.max(1, Math.ceil(found.length / size));
  const link = (number: number) => `https://api.didww.com/v3/${kind.type}?page[number]=${number}`;
  return {
    data: shown.map((record) => resourceOf(kind, record, query)),
    ...includedOf(kind, shown, query.include),
    meta: { ...META, total_records: found.length },
    ...(kind.isPaged && {
      links: {
        first: link(1),
        last: link(last),
        ...(page > 1 && { prev: link(page - 1) }),
        ...(page < last && { next: link(page + 1) }),
      },
    }),
  };
}

export function oneDocument(
  kind: Kind,
  record: Resource,
  query: Pick<ListQuery, "include" | "fields"> = { include: [], fields: undefined },
) {
  return {
    data: resourceOf(kind, record, query),
    ...includedOf(kind, [record], query.include),
    meta: META,
  };
}

function sortedBy(kind: Kind, records: readonly Resource[], sort: string): Resource[] {
  const name = sort.replace(/^-/, "");
  const keyOf = (record: Resource) => String(kind.attributes(record)[name]);
  const sorted = records.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)));
  return sort.startsWith("-") ? sorted.toReversed() : sorted;
}

/** The linkage of a relationship is present only if the request includes it. */
function resourceOf(
  kind: Kind,
  record: Resource,
  { include, fields }: Pick<ListQuery, "include" | "fields">,
) {
  const isShown = ([name]: [string, unknown]): boolean => fields === undefined || fields.includes(name);
  const linked = new Set(include.map((path) => path.split(".")[0]));
  checkFields(kind, record, fields);
  const self = `https://api.didww.com/v3/${kind.type}/${record.id}`;
  const relationships = Object.entries(kind.relations)
    .filter(isShown)
    .map(([name, relation]) => {
      const links = { self: `${self}/relationships/${name}`, related: `${self}/${name}` };
      return [name, { links, ...(linked.has(name) && { data: linkageOf(relation, record) }) }] as const;
    });
  return {
    id: record.id,
    type: kind.type,
    attributes: Object.fromEntries(Object.entries(kind.attributes(record)).filter(isShown)),
    ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) }),
    ...(kind.meta && { meta: kind.meta(record) }),
  };
}

function checkFields(kind: Kind, record: Resource, fields: readonly string[] = []): void {
  const known = new Set([...Object.keys(kind.relations), ...Object.keys(kind.attributes(record))]);
  const unknown = fields.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new DidwwError(400, "104", `${unknown} is not a valid field for ${kind.type}.`);
}

function relatedBy({ read }: Relation, record: Resource): readonly Resource[] {
  const related = read(record);
  return Array.isArray(related) ? related : related ? [related as Resource] : [];
}

function linkageOf(relation: Relation, record: Resource) {
  const linkage = relatedBy(relation, record).map(({ id }) => ({ type: relation.kind!.type, id }));
  return Array.isArray(relation.read(record)) ? linkage : (linkage[0] ?? null);
}

function includedOf(kind: Kind, records: readonly Resource[], include: readonly string[]) {
  if (include.length === 0) return {};
  const included = new Map<string, unknown>();
  const follow = (at: Kind, record: Resource, path: readonly string[]): void => {
    const [name, ...rest] = path;
    if (name === undefined) return;
    const relation = at.relations[name]!;
    for (const one of relatedBy(relation, record)) {
      const key = `${relation.kind!.type} ${one.id}`;
      const inner = { include: rest.length > 0 ? [rest.join(".")] : [], fields: undefined };
      if (!included.has(key) || rest.length > 0) included.set(key, resourceOf(relation.kind!, one, inner));
      follow(relation.kind!, one, rest);
    }
  };
  for (const path of include) for (const record of records) follow(kind, record, path.split("."));
  return { included: [...included.values()] };
}
