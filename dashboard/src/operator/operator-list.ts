import { ApiError } from "@dialplane/sdk";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { paging } from "../components/paging.ts";
import { withSession } from "../session/session.ts";

interface Listed<Item> {
  data: Item[];
  next_cursor: string | null;
}

interface ListQuery {
  limit: number;
  cursor: string | undefined;
}

const PAGE_SIZE = 100;

/** A list of the installation, under its name; followed where it changes by itself. */
export function operatorList<Item>(
  name: string,
  list: (query: ListQuery) => PromiseLike<Listed<Item>>,
  refreshMs?: number,
) {
  return infiniteQueryOptions({
    queryKey: ["operator", name],
    queryFn: ({ pageParam }) => withSession(() => list({ limit: PAGE_SIZE, cursor: pageParam })),
    ...paging,
    // Who closed the question for the password is not asked again every few seconds.
    refetchInterval: ({ state }) => (state.error || !refreshMs ? false : refreshMs),
  });
}

/** Whether it was rejected because an operator has no second factor yet. */
export function lacksSecondFactor(error: unknown): boolean {
  return error instanceof ApiError && error.code === "second_factor_required";
}

/** Whether it was rejected because whoever asks runs nothing here. */
export function isNotOperator(error: unknown): boolean {
  return error instanceof ApiError && error.code === "operator_only";
}
