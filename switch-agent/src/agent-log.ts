/** Logger interface of the agent. A pino logger fits. */
export interface AgentLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
