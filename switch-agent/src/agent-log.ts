/** What the agent needs of a logger; pino's fits. */
export interface AgentLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
