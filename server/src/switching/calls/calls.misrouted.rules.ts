interface Step {
  mode: string;
  sip_uri?: string;
  forward_to?: string;
  fallback?: Step;
}

export interface RoutedCall {
  target: string | null;
  attempts: readonly { step: number; mode: string; host: string | null }[];
  /** Desired routing of the call's generation. Null if unknown. */
  destination: Step | null;
  /** Hosts of the connection, if it has not changed since the call. Otherwise null. */
  hosts: readonly string[] | null;
}

/** Whether the call reached another target than its generation names. Null if unknown. */
export function isMisrouted({ target, attempts, destination, hosts }: RoutedCall): boolean | null {
  if (destination === null || target === null) return null;
  const last = attempts.at(-1)?.step ?? 1;
  const step = stepAt(destination, last);
  const tried = attempts.filter((attempt) => attempt.step === last);
  switch (step?.mode) {
    case "sip_uri":
      return target !== step.sip_uri;
    case "forward":
      return target !== step.forward_to;
    case undefined:
    case "unrouted":
      return true;
    case "connection":
      if (tried.some(({ mode }) => mode !== "connection")) return true;
      if (hosts === null || tried.length === 0) return null;
      return tried.some(({ host }) => host !== null && !hosts.includes(host));
    // The customer's server chooses the target.
    default:
      return null;
  }
}

function stepAt(step: Step | undefined, at: number): Step | undefined {
  return at === 1 ? step : stepAt(step?.fallback, at - 1);
}
