import { PLAIN_SEARCH, queryStringOf } from "../shell/plain-search.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import type { ViewPage } from "./views-query.ts";
import { viewsText } from "./views-text.ts";
import { ViewTabs } from "./ViewTabs.tsx";

interface SavedViewsProps {
  place: OpenPlace;
  page: ViewPage;
  search: object;
  isReady: boolean;
  onOpen(search: Record<string, unknown>): void;
}

const BUILT_IN = [{ name: viewsText.all, query: "" }];

/** Saved filters of a page, and the page without filters. */
export function SavedViews({ place, page, search, isReady, onOpen }: SavedViewsProps) {
  return (
    <ViewTabs
      {...{ place, page, isReady }}
      builtIn={BUILT_IN}
      current={queryStringOf(search)}
      onOpen={(query) => onOpen(PLAIN_SEARCH.parseSearch(query))}
    />
  );
}
