import type { Holder, Neighbours } from "./neighbours.ts";

/** How to make a request that succeeds, for whoever is allowed to make it. */
export interface Fixture {
  /** What the path names: made again each time, for a request may use it up. */
  params?(neighbours: Neighbours, of: Holder): Promise<Record<string, string>>;
  /** What the path names lives on one side only: the live environment cannot see what the test environment has. */
  isOfOneSide?: true;
  /** What the path names is an organisation's, and nobody's who does not belong to it, although anybody known may ask. */
  isOfMembers?: true;
  body?(neighbours: Neighbours, of: Holder): unknown;
  query?: string | ((neighbours: Neighbours, of: Holder) => Promise<string>);
  /** May depend on the body that goes with them. */
  headers?(body: unknown, neighbours: Neighbours): Record<string, string>;
  /** The answer continues until the caller leaves; its first lines are looked at. */
  isEndless?: true;
}

export type Fixtures = Record<string, Fixture>;
