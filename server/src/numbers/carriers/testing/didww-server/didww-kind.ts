import type { Resource } from "./didww-records.ts";

/** A relationship to one resource, several, or none. Without a kind, the imitation has no such resources. */
export interface Relation {
  kind?: Kind;
  read(record: Resource): Resource | readonly Resource[] | null;
}

/** A type of resource, with everything that the documentation allows to ask about it. */
export interface Kind {
  type: string;
  attributes(record: Resource): Record<string, unknown>;
  meta?(record: Resource): Record<string, unknown>;
  relations: Record<string, Relation>;
  filters: Record<string, (record: Resource, values: readonly string[]) => boolean>;
  sorts: readonly string[];
  isPaged: boolean;
  mostOnAPage: number;
}

type Definition<Record_> = {
  attributes(record: Record_): Record<string, unknown>;
  meta?(record: Record_): Record<string, unknown>;
  relations?: Record<string, Relation>;
  filters?: Record<string, (record: Record_, values: readonly string[]) => boolean>;
  sorts?: readonly string[];
  isPaged?: boolean;
  /** Default: 1000. */
  mostOnAPage?: number;
};

/** Every type can be filtered by ID. */
export function kind<Record_ extends Resource>(type: string, definition: Definition<Record_>): Kind {
  const filters = { id: ({ id }: Record_, values: readonly string[]) => values.includes(id) };
  return {
    type,
    relations: {},
    sorts: [],
    isPaged: true,
    mostOnAPage: 1000,
    ...definition,
    filters: { ...filters, ...definition.filters },
  } as unknown as Kind;
}

export const none: Relation = { read: () => null };
export const never = () => false;
export function to<Record_>(
  of: Kind,
  read: (record: Record_) => Resource | readonly Resource[] | null,
): Relation {
  return { kind: of, read } as unknown as Relation;
}
export const is =
  <Record_>(read: (record: Record_) => unknown) =>
  (record: Record_, values: readonly string[]) =>
    values.includes(String(read(record)));
