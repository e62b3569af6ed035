import { expect, test } from "vitest";
import { EVENT_TYPES as CONTRACT_TYPES } from "../../server/src/events/events/events.catalogue.ts";
import { EVENT_TYPES } from "../src/webhooks/event-choices.ts";

test("offers every event type of the contract", () => {
  const offered = Object.entries(EVENT_TYPES).flatMap(([noun, participles]) =>
    participles.map((participle) => `${noun}.${participle}`),
  );
  expect(offered.toSorted()).toEqual(CONTRACT_TYPES.toSorted());
});
