import type { Client } from "../../sdk/src/index.ts";

/** What openapi.operator.json says of them, as far as it is shown. */
export interface OperatorOrganisation {
  id: string;
  name: string;
  created_at: string;
}

export interface OperatorSwitch {
  id: string;
  name: string;
  group: { id: string; name: string };
  state: "active" | "draining" | "retired";
  is_synced: boolean;
  last_seen_at: string | null;
  unreachable_after_seconds: number;
  lag: number;
  exceptions: number;
  /** What its agent last said is wrong beside it. */
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
  number_id: string | null;
  repaired_at: string | null;
}

/** The operator's contract is not the SDK's: its operations are called by their address. */
export function operatorClient(client: Client) {
  const post = <Answer>(path: string, body?: object) =>
    client.request<Answer>("POST", `/operator/v1${path}`, { body });
  return {
    organisations: (limit: number) => listed<OperatorOrganisation>(client, "/organisations", limit),
    getOrganisation: (id: string) =>
      client.request<OperatorOrganisation>("GET", `/operator/v1/organisations/${encodeURIComponent(id)}`),
    createOrganisation: (body: { name: string; owner_email?: string }) =>
      post<OperatorOrganisation>("/organisations", body),
    switches: (limit: number) => listed<OperatorSwitch>(client, "/switches", limit),
    createSwitch: (body: { name: string; group_id?: string }) =>
      post<OperatorSwitch & { credential: string }>("/switches", body),
    rotateSwitch: (id: string) =>
      post<OperatorSwitch & { credential: string }>(`/switches/${encodeURIComponent(id)}/rotate`),
    changeSwitch: (id: string, body: { state: OperatorSwitch["state"] }) =>
      client.request<OperatorSwitch>("PATCH", `/operator/v1/switches/${encodeURIComponent(id)}`, { body }),
    reconciliations: (limit: number) => listed<Reconciliation>(client, "/reconciliations", limit),
    reconcile: (carrier: string) => post<Reconciliation>("/reconciliations", { carrier }),
    findings: (id: string, limit: number) =>
      listed<Finding>(client, `/reconciliations/${encodeURIComponent(id)}/findings`, limit),
    repair: (id: string) => post<Finding>(`/findings/${encodeURIComponent(id)}/repair`),
  };
}

async function* listed<Item>(
  client: Client,
  path: string,
  limit: number,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor ? { cursor } : {}) });
    const page: { data: Item[]; next_cursor: string | null } = await client.request(
      "GET",
      `/operator/v1${path}?${query.toString()}`,
    );
    yield* page.data;
    cursor = page.next_cursor;
  }
}
