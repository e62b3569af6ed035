import { lazyRouteComponent } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { whenReachable } from "../session/when-reachable.ts";

/** Loaded on navigation, with retries while the service is unreachable. */
export function page<Name extends string>(load: () => Promise<Record<Name, () => ReactNode>>, name: Name) {
  return lazyRouteComponent(whenReachable(load), name);
}
