import { AgentConfigError, readAgentConfig } from "./agent-config.ts";
import { type AgentLog, httpControlPlane, simulatedSwitch, startAgent } from "./switch-agent.ts";

/** One JSON object per line, as the service logs. */
const log: AgentLog = {
  info: (fields, msg) => write("info", fields, msg),
  warn: (fields, msg) => write("warn", fields, msg),
  error: (fields, msg) => write("error", fields, msg),
};

function write(level: string, fields: object, msg: string): void {
  process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg })}\n`);
}

try {
  const { url, credential, storePath } = readAgentConfig();
  const control = httpControlPlane({ url, credential });
  const agent = startAgent({ control, driver: simulatedSwitch(), storePath, log });
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(1); // asked twice: at once
    isStopping = true;
    agent.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  console.error(error instanceof AgentConfigError ? error.message : error);
  process.exit(1);
}
