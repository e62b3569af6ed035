import type { RevisedRouting, SetRouting } from "@dialplane/sdk";
import type { MODES } from "./numbers-search.ts";

type Mode = (typeof MODES)[number];

/** Fields of all modes, so that the input survives a change of mode. */
export interface RoutingValues {
  mode: Mode;
  sip_uri: string;
  connection_id: string;
  forward_to: string;
  webhook_url: string;
  /** Kept unchanged. Only the API can change a webhook's fallback. */
  fallback: RevisedRouting["fallback"];
  reason: string;
}

export function valuesOf(routing: RevisedRouting): RoutingValues {
  return {
    mode: routing.mode as Mode,
    sip_uri: routing.sip_uri ?? "",
    connection_id: routing.connection_id ?? "",
    forward_to: routing.forward_to ?? "",
    webhook_url: routing.webhook_url ?? "",
    fallback: routing.fallback,
    reason: "",
  };
}

/** Fields of the mode only. */
export function routingOf(values: RoutingValues): RevisedRouting {
  const { mode, fallback } = values;
  switch (mode) {
    case "sip_uri":
      return { mode, sip_uri: values.sip_uri.trim() };
    case "connection":
      return { mode, connection_id: values.connection_id };
    case "forward":
      return { mode, forward_to: values.forward_to.replaceAll(/[\s()/-]/g, "") };
    case "webhook":
      return { mode, webhook_url: values.webhook_url.trim(), ...(fallback && { fallback }) };
    case "unrouted":
      return { mode };
  }
}

export function bodyOf(values: RoutingValues): SetRouting {
  const reason = values.reason.trim();
  return { ...routingOf(values), ...(reason && { reason }) } as SetRouting;
}
