export interface RoutedCall {
  target: string | null;
  attempts: readonly { mode: string; host: string | null }[];
  /** Desired routing of the call's generation. Null if unknown. */
  destination: { mode: string; sip_uri?: string; forward_to?: string } | null;
  /** Hosts of the connection, if it has not changed since the call. Otherwise null. */
  hosts: readonly string[] | null;
}

/** Whether the call reached another target than its generation names. Null if unknown. */
export function isMisrouted({ target, attempts, destination, hosts }: RoutedCall): boolean | null {
  if (destination === null || target === null) return null;
  switch (destination.mode) {
    case "sip_uri":
      return target !== destination.sip_uri;
    case "forward":
      return target !== destination.forward_to;
    case "unrouted":
      return true;
    case "connection":
      if (attempts.some(({ mode }) => mode !== "connection")) return true;
      if (hosts === null || attempts.length === 0) return null;
      return attempts.some(({ host }) => host !== null && !hosts.includes(host));
    // The customer's server chooses the target.
    default:
      return null;
  }
}
