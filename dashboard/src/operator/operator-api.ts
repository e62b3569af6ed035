import { ApiError } from "../../../sdk/src/index.ts";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { paging } from "../components/paging.ts";
import { client } from "../session/client.ts";
import { withSession } from "../session/session.ts";

/** What openapi.operator.json says of them, as far as it is shown. */
export interface Organisation {
  id: string;
  name: string;
  created_at: string;
}

export interface SwitchGroup {
  id: string;
  name: string;
  environment: string;
  is_default: boolean;
  shards: number;
}

export interface Switch {
  id: string;
  name: string;
  group: { id: string; name: string };
  state: string;
  is_synced: boolean;
  last_seen_at: string | null;
  lag: number;
  exceptions: number;
  alarms: string[];
  agent_version: string | null;
}

export interface Reconciliation {
  id: string;
  carrier: string;
  status: string;
  held: number | null;
  owned: number | null;
  open_findings: number;
  error: string | null;
  started_at: string;
}

export interface Finding {
  id: string;
  kind: string;
  e164: string;
  organisation_id: string | null;
  repaired_at: string | null;
}

interface Listed<Item> {
  data: Item[];
  next_cursor: string | null;
}

const PAGE_SIZE = 100;

/** The operator's contract is not the SDK's: its operations are called by their address. */
export function callOperator<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  return withSession(() => client.request<Answer>(method, `/operator/v1${path}`, body && { body }));
}

/** A list of the installation, under its address; followed where it changes by itself. */
export function operatorList<Item>(path: string, refreshMs?: number) {
  return infiniteQueryOptions({
    queryKey: ["operator", path],
    queryFn: ({ pageParam }): Promise<Listed<Item>> => {
      const query = new URLSearchParams({
        limit: String(PAGE_SIZE),
        ...(pageParam && { cursor: pageParam }),
      });
      return callOperator("GET", `${path}?${query.toString()}`);
    },
    ...paging,
    // Who closed the question for the password is not asked again every few seconds.
    refetchInterval: ({ state }) => (state.error || !refreshMs ? false : refreshMs),
  });
}

/** Whether it was refused because whoever asks runs nothing here. */
export function isNotOperator(error: unknown): boolean {
  return error instanceof ApiError && error.code === "operator_only";
}
