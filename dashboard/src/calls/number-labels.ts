import { useQuery } from "@tanstack/react-query";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

/** Limit of the service. */
const MOST_NUMBERS = 200;

/** Labels by phone number, of the numbers that the organisation still holds. */
export function useNumberLabels(
  { organisation, environment, client }: OpenPlace,
  calls: readonly { e164: string }[],
): ReadonlyMap<string, string> {
  const e164 = [...new Set(calls.map((call) => call.e164))].toSorted().slice(0, MOST_NUMBERS);
  const { data } = useQuery({
    queryKey: [organisation, environment, "number-labels", e164],
    queryFn: ({ signal }) =>
      withSession(() => client.numbers.list({ e164, limit: MOST_NUMBERS }, { signal })),
    enabled: e164.length > 0,
    placeholderData: (before) => before,
    staleTime: 60_000,
  });
  return new Map(data?.data.flatMap(({ e164: number, label }) => (label ? [[number, label]] : [])));
}
