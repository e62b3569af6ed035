import { queryOptions } from "@tanstack/react-query";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

export function identityProvidersQuery({ organisation, client }: OpenPlace) {
  return queryOptions({
    queryKey: ["identity-providers", organisation],
    queryFn: ({ signal }) =>
      withSession(() => client.call("listIdentityProviders", { query: {} }, { signal })),
  });
}
