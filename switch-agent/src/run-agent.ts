import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type AgentConfig, AgentConfigError, readAgentConfig } from "./agent-config.ts";
import { kamailioSwitch } from "./kamailio/kamailio-switch.ts";
import { trunkPlaceOf } from "./kamailio/own-trunks.ts";
import { readSwitchSettings, socketsOf, SwitchSettingsError } from "./kamailio/switch-settings.ts";
import {
  type AgentLog,
  type CallRecordsSpool,
  type ForwardingDriver,
  type ForwardingUse,
  httpControlPlane,
  httpForwardingService,
  httpProbeService,
  httpRecordService,
  httpSecretService,
  httpStateService,
  httpTrunkService,
  simulatedSwitch,
  startAgent,
  startForwardingSync,
  startProbeSync,
  startRoutingWebhooks,
  startSpool,
  startStateUploads,
  startTrunkSync,
  type SwitchDriver,
  type TrunkDriver,
} from "./switch-agent.ts";

/** One JSON object per line, as the service logs. */
const log: AgentLog = {
  info: (fields, msg) => write("info", fields, msg),
  warn: (fields, msg) => write("warn", fields, msg),
  error: (fields, msg) => write("error", fields, msg),
};

function write(level: string, fields: object, msg: string): void {
  process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg })}\n`);
}

interface OpenSwitch {
  driver: SwitchDriver & { forwarding: ForwardingDriver; trunks: TrunkDriver };
  /** Present if the switch takes calls. */
  spool?: CallRecordsSpool;
  close(): Promise<void>;
}

function openSwitch(config: AgentConfig): OpenSwitch {
  if (config.switchSettings === undefined) return { driver: simulatedSwitch(), close: async () => undefined };
  const settings = readSwitchSettings(config.switchSettings);
  const { data_dir: dataDir, control_port: controlPort, rpc_port: rpcPort, listen } = settings;
  // The agent may be there before the switch has ever been started.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const hasIpv6 = listen.some((socket) => socket.includes("["));
  const { egressAllow } = config;
  const driver = kamailioSwitch({
    dataDir,
    controlPort,
    rpcPort,
    sockets: socketsOf(settings),
    hasIpv6,
    egressAllow,
    trunks: trunkPlaceOf(settings),
    log,
  });
  const probes = startProbeSync({ driver: driver.probes, service: httpProbeService(config), log });
  const spool = startSpool({
    directory: join(dataDir, "records"),
    storePath: join(dataDir, "records.sqlite"),
    service: httpRecordService(config),
    listTrunks: () => driver.trunks.desiredTrunks().trunks,
    payerOf: (numberId) => driver.forwarding.payerOf(numberId),
    maxCallSeconds: settings.max_call_seconds,
    isProbe: (row) => probes.takeRow(row),
    rotate: () => driver.rotateRecords(),
    onDiskFull: (isFull) => driver.rejectCalls(isFull && settings.when_disk_is_full === "refuse"),
    log,
  });
  const webhooks = startRoutingWebhooks({
    port: settings.webhook_port,
    storePath: join(dataDir, "webhooks.sqlite"),
    service: httpSecretService(config),
    listNumbers: () => driver.listWebhookNumbers(),
    listForwardPrefixes: () => driver.trunks.desiredTrunks().forwarding?.prefixes ?? [],
    hasIpv6,
    egressAllow,
    log,
  });
  return {
    driver,
    spool,
    async close() {
      await webhooks.close();
      await probes.stop();
      await spool.stop();
      await driver.close();
    },
  };
}

try {
  const config = readAgentConfig();
  const control = httpControlPlane(config);
  const { driver, spool, close } = openSwitch(config);
  const { storePath, auditMs } = config;
  const uploads = startStateUploads({ storePath, service: httpStateService(config), log });
  const onEpoch = (epoch: string, lineage?: string): void => {
    spool?.enterEpoch(epoch, lineage);
    uploads.soon();
  };
  const agent = startAgent({ control, driver, storePath, log, onEpoch, timing: { auditMs } });
  const counted = (day: number): ForwardingUse[] => spool?.forwardedOn(day) ?? [];
  const { forwarding } = driver;
  const trunks = startTrunkSync({ driver: driver.trunks, service: httpTrunkService(config), log });
  const limits = startForwardingSync({
    driver: forwarding,
    service: httpForwardingService(config),
    counted,
    log,
  });
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(1); // asked twice: at once
    isStopping = true;
    const stopped = Promise.all([agent.stop(), uploads.stop(), limits.stop(), trunks.stop()]).then(close);
    stopped.then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  const isExpected = error instanceof AgentConfigError || error instanceof SwitchSettingsError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
}
