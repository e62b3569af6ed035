import type { IncomingMessage } from "node:http";
import type { ServedResponse } from "../troubled-server.ts";
import type { DidwwAccount, Fate } from "./didww-account.ts";
import type { Resource } from "./didww-records.ts";
import { listDocument, oneDocument, readListQuery, readOneQuery } from "./didww-documents.ts";
import { notFound } from "./didww-errors.ts";
import type { Kind } from "./didww-kind.ts";

export interface DidwwCall {
  request: IncomingMessage;
  query: URLSearchParams;
  /** The value of {id} in the path. */
  id: string;
  account: DidwwAccount;
  fate: Fate;
  /** Lists that do not know yet what is new. */
  isLagging: boolean;
}

export type Route = (call: DidwwCall) => ServedResponse | Promise<ServedResponse>;

export function lists(kind: Kind, read: (account: DidwwAccount) => readonly Resource[]): Route {
  return ({ query, account, isLagging }) => ({
    status: 200,
    body: listDocument(kind, isLagging ? [] : read(account), readListQuery(kind, query)),
  });
}

export function reads(kind: Kind, read: (account: DidwwAccount) => readonly Resource[]): Route {
  return ({ query, account, id }) => {
    const shown = readOneQuery(kind, query);
    return { status: 200, body: oneDocument(kind, found(read(account), id), shown) };
  };
}

export function found<Item extends Resource>(items: readonly Item[], id: string): Item {
  const item = items.find((one) => one.id === id);
  if (!item) throw notFound(id);
  return item;
}
