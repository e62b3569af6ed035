import type { Holder, Neighbours } from "./neighbours.ts";

/** Builds a request that succeeds for an authorised caller. */
export interface Fixture {
  /** Path parameters. Created for each request, because a request may use them up. */
  params?(neighbours: Neighbours, of: Holder): Promise<Record<string, string>>;
  /**
   * Whether the named resource exists in one environment only: the live environment cannot see test
   * resources.
   */
  isOfOneSide?: true;
  /**
   * Whether only members can see the named resource, although any authenticated caller may send the request.
   */
  isOfMembers?: true;
  body?(neighbours: Neighbours, of: Holder): unknown;
  query?: string | ((neighbours: Neighbours, of: Holder) => Promise<string>);
  /** May depend on the body that goes with them. */
  headers?(body: unknown, neighbours: Neighbours): Record<string, string>;
  /** The answer continues until the caller leaves; its first lines are looked at. */
  isEndless?: true;
}

export type Fixtures = Record<string, Fixture>;
