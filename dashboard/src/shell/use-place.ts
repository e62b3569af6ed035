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
  /** Client of this organisation and environment. */
  client: Client;
}

/** Organisation and environment of the URL, if the user is a member. */
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

/** For pages inside the shell, which requires an organisation. */
export function useOpenPlace(): OpenPlace {
  const place = usePlace();
  if (!place) throw new Error("The URL contains no organisation.");
  return place;
}
