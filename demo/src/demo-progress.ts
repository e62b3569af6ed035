/** A step that takes longer repeats its line, so that a slow start never looks like a hang. */
const REPEAT_MS = 10_000;

export interface DemoProgress {
  /** Shows the step that begins now. */
  step(text: string): void;
  /** Shows that the last step is finished. */
  finish(text: string): void;
  /** Shows a line that is not a step. */
  say(text: string): void;
}

/** Writes to standard error: standard output is for the JSON or the greeting. */
export function showProgress(
  write: (text: string) => void = (text) => void process.stderr.write(text),
  repeatMs = REPEAT_MS,
): DemoProgress {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const show = (text: string): void =>
    write(`${((performance.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${text}\n`);
  return {
    step(text) {
      clearInterval(timer);
      show(text);
      timer = setInterval(() => show(`${text} (in progress)`), repeatMs);
    },
    finish(text) {
      clearInterval(timer);
      show(text);
    },
    say: (text) => write(`${text}\n`),
  };
}
