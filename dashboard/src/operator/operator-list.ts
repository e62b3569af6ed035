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

/** A list of the installation, by name. Polled if `refreshMs` is set. */
export function operatorList<Item>(
  name: string,
  list: (query: ListQuery) => PromiseLike<Listed<Item>>,
  refreshMs?: number,
) {
  return infiniteQueryOptions({
    queryKey: ["operator", name],
    queryFn: ({ pageParam }) => withSession(() => list({ limit: PAGE_SIZE, cursor: pageParam })),
    ...paging,
    // Stops polling after an error: a user who cancelled the password prompt must not see it every few
    // seconds.
    refetchInterval: ({ state }) => (state.error || !refreshMs ? false : refreshMs),
  });
}

/** Whether it was rejected because an operator has no second factor yet. */
export function lacksSecondFactor(error: unknown): boolean {
  return error instanceof ApiError && error.code === "second_factor_required";
}

/** Whether the request was rejected because the caller is not an operator. */
export function isNotOperator(error: unknown): boolean {
  return error instanceof ApiError && error.code === "operator_only";
}
