import { type DestinationStream, pino, type Logger } from "pino";

export type Log = Logger;

/**
 * One JSON object per line. Requests are logged with listed fields only (see http/server.ts). The paths below
 * are a safety net for fields that are added carelessly.
 */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    messageKey: "msg",
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: {
      paths: [
        "authorization",
        "cookie",
        "password",
        "token",
        "secret",
        "headers.authorization",
        "headers.cookie",
        "body.password",
        "body.token",
        "body.new_password",
        "body.current_password",
      ],
      censor: "[hidden]",
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
