import { queryOptions } from "@tanstack/react-query";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

export function signInPolicyQuery({ organisation, client }: OpenPlace) {
  return queryOptions({
    queryKey: ["sign-in-policy", organisation],
    queryFn: ({ signal }) => withSession(() => client.signInPolicy.get({ signal })),
  });
}
