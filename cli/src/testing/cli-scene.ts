export interface Stage {
  /** JSON output of a command. Operator commands run as the operator. */
  ask<Answer>(...argv: string[]): Promise<Answer>;
  /** A file with this in it. */
  file(text: string): string;
}

export interface CliScene {
  name: string;
  args(stage: Stage): string[] | Promise<string[]>;
  /** Done a second time it would answer something else, or nothing. */
  isOnce?: true;
  asOperator?: true;
}
