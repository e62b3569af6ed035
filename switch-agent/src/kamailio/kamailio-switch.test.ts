import { describeDriver } from "../testing/driver-contract.ts";
import { runKamailio } from "../testing/running-kamailio.ts";
import { kamailioSwitch } from "./kamailio-switch.ts";

const ignore = (): void => undefined;
const log = { info: ignore, warn: ignore, error: ignore };

describeDriver("kamailio", async () => {
  const kamailio = await runKamailio();
  const driver = kamailioSwitch({ ...kamailio.reached, log, egressAllow: "192.0.2.0/24" });
  return {
    driver,
    restart: () => kamailio.restart(),
    async close() {
      await driver.close();
      await kamailio[Symbol.asyncDispose]();
    },
  };
});
