import { requirementProducers } from "../src/numbers/orders/testing/requirement-producers.ts";
import { viewProducers } from "../src/people/views/testing/view-producers.ts";
import { probeProducers } from "../src/switching/probes/testing/probe-producers.ts";
import { restoreProducers } from "../src/switching/restores/testing/restore-producers.ts";

type Scene = Parameters<typeof viewProducers>[0];

/** Requests for the errors of single features. */
export const featureProducers = (scene: Scene) => ({
  ...viewProducers(scene),
  ...probeProducers(scene),
  ...requirementProducers(scene),
  ...restoreProducers(scene),
});
