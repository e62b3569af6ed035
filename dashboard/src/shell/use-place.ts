import type { Client, Membership } from "@dialplane/sdk";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { client } from "../session/client.ts";
import { meQuery } from "../session/session.ts";
import type { Place } from "./last-place.ts";

export interface OpenPlace extends Place {
  name: string;
  role: Membership["role"];
  /** The rule of its sign-in policy that this session does not meet. */
  unmet: Membership["unmet_policy"];
  /** Acts in this organisation, on this side. */
  client: Client;
}

/** The organisation and side the address names, if this person belongs there. */
export function usePlace(): OpenPlace | undefined {
  const { organisation, environment } = useParams({ strict: false });
  const { data: me } = useSuspenseQuery(meQuery);
  const membership = me.memberships.find((one) => one.organisation.id === organisation);
  return useMemo(() => {
    if (!membership || !organisation || (environment !== "live" && environment !== "test")) return undefined;
    return {
      organisation,
      environment,
      name: membership.organisation.name,
      role: membership.role,
      unmet: membership.unmet_policy,
      client: client.with({ organisation, environment }),
    };
  }, [membership, organisation, environment]);
}

/** For pages inside the shell, which is shown only where there is one. */
export function useOpenPlace(): OpenPlace {
  const place = usePlace();
  if (!place) throw new Error("This page belongs to an organisation, and the address names none.");
  return place;
}
