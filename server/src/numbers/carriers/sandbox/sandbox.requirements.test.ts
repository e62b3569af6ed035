import { startService } from "../../../../testing/service.ts";
import { describeRequirements } from "../testing/requirements-contract.ts";
import { openSandbox } from "./sandbox.ts";

describeRequirements("the sandbox", async () => {
  const service = await startService();
  const sandbox = openSandbox({ ...service.app, slowMs: 10 });
  let taken = 49;
  return {
    carrier: { ...sandbox, requirements: sandbox.requirements! },
    of: { organisationId: await service.organisation(), environment: "test" },
    number: () => `+162955501${++taken}`,
    free: () => `+121255501${++taken}`,
    review: () => service.clock.advance(4_000),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
});
