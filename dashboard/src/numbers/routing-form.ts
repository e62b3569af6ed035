import type { Fallback, RevisedRouting, SetRouting } from "@dialplane/sdk";
import type { MODES } from "./numbers-search.ts";

type Mode = (typeof MODES)[number];
export const CAUSES = ["unreachable", "no_answer", "busy", "refused"] as const;
export const MOST_STEPS = 3;

/** Fields of all modes, so that the input survives a change of mode. */
export interface StepValues {
  mode: Mode;
  sip_uri: string;
  connection_id: string;
  forward_to: string;
  webhook_url: string;
  /** Empty for the default. */
  ring_seconds: string;
  /** Causes after which the step takes the call. Unused in the first step. */
  on: string[];
}

export interface RoutingValues {
  /** Destinations in the order in which a call tries them. */
  steps: StepValues[];
  reason: string;
}

export const NEW_STEP: StepValues = {
  mode: "sip_uri",
  sip_uri: "",
  connection_id: "",
  forward_to: "",
  webhook_url: "",
  ring_seconds: "",
  on: ["unreachable", "no_answer"],
};
export const NEW_ROUTING: RoutingValues = { steps: [NEW_STEP], reason: "" };

export function valuesOf(routing: RevisedRouting): RoutingValues {
  return { steps: stepsOf(routing).map(stepValues), reason: "" };
}

type Step = Omit<Fallback, "fallback">;

/** An unrouted fallback is the default and not a step. */
export function stepsOf(routing: RevisedRouting): Step[] {
  const { fallback } = routing;
  const others = [fallback, fallback?.fallback].filter((step) => step !== undefined);
  return [routing, ...others.filter(({ mode }) => mode !== "unrouted")];
}

function stepValues(step: Step): StepValues {
  return {
    mode: step.mode as Mode,
    sip_uri: step.sip_uri ?? "",
    connection_id: step.connection_id ?? "",
    forward_to: step.forward_to ?? "",
    webhook_url: step.webhook_url ?? "",
    ring_seconds: step.ring_seconds === undefined ? "" : String(step.ring_seconds),
    on: [...(step.on ?? [])],
  };
}

export function routingOf({ steps: [first, ...others] }: RoutingValues): RevisedRouting {
  const step = destinationOf(first!);
  if (step.mode === "unrouted" || others.length === 0) return step;
  const { on } = others[0]!;
  const fallback = routingOf({ steps: others, reason: "" });
  return { ...step, fallback: { ...fallback, ...(on.length > 0 && { on: sorted(on) }) } };
}

/** Fields of the mode only. */
function destinationOf(values: StepValues): RevisedRouting {
  const { mode } = values;
  const ring = values.ring_seconds === "" ? {} : { ring_seconds: Number(values.ring_seconds) };
  switch (mode) {
    case "sip_uri":
      return { mode, sip_uri: values.sip_uri.trim(), ...ring };
    case "connection":
      return { mode, connection_id: values.connection_id, ...ring };
    case "forward":
      return { mode, forward_to: values.forward_to.replaceAll(/[\s()/-]/g, ""), ...ring };
    case "webhook":
      return { mode, webhook_url: values.webhook_url.trim(), ...ring };
    case "unrouted":
      return { mode };
  }
}

function sorted(causes: readonly string[]): (typeof CAUSES)[number][] {
  return CAUSES.filter((cause) => causes.includes(cause));
}

export function bodyOf(values: RoutingValues): SetRouting {
  const reason = values.reason.trim();
  return { ...routingOf(values), ...(reason && { reason }) } as SetRouting;
}

/** Path in the form of a path in the request: each `fallback` is one step further. */
export function toStepField(path: readonly string[]): readonly string[] {
  const depth = path.findIndex((segment) => segment !== "fallback");
  const rest = path.slice(Math.max(0, depth));
  return rest[0] === "reason" ? rest : ["steps", String(Math.max(0, depth)), ...rest];
}
