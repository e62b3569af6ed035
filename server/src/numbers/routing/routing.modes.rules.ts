export const MODES = ["sip_uri", "connection", "unrouted", "forward", "webhook"] as const;
export type Mode = (typeof MODES)[number];

/** Causes of a failover, in the order in which they are stored. */
export const CAUSES = ["unreachable", "no_answer", "busy", "refused"] as const;
export type Cause = (typeof CAUSES)[number];
