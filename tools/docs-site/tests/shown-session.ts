import { readFileSync } from "node:fs";

/** A command on a page, and its shown output. */
export interface ShownStep {
  line: number;
  command: string;
  answer: string;
}

/** The steps of a page's `console` blocks but for those that begin so. */
export function sessionOf(file: string, without: readonly string[]): ShownStep[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
    .filter(([, block]) => !without.some((begins) => block!.startsWith(`$ ${begins}`)))
    .flatMap(({ 1: block, index }) => stepsOf(block!, text.slice(0, index).split("\n").length + 1));
}

/** A command continues in the lines below it that are indented. */
function stepsOf(block: string, from: number): ShownStep[] {
  const steps: ShownStep[] = [];
  for (const [at, text] of block.split("\n").entries()) {
    const step = steps.at(-1);
    if (text.startsWith("$ ")) steps.push({ line: from + at, command: text.slice(2), answer: "" });
    else if (step?.answer === "" && /^\s/.test(text)) step.command += `\n${text}`;
    else if (step) step.answer += `${text}\n`;
  }
  return steps;
}

const MARK = "-- step ";

/** One script; before each step it says where in the page it is. */
export function sessionScript(steps: readonly ShownStep[]): string {
  return steps.map(({ line, command }) => `echo "${MARK}${line}"\n${command}`).join("\n");
}

/** Output of each step, from the script's output. */
export function answersIn(printed: string): Map<number, string> {
  return new Map(
    printed
      .split(MARK)
      .slice(1)
      .map((part) => [Number.parseInt(part), part.slice(part.indexOf("\n") + 1)]),
  );
}

/** Replaces the parts that differ between runs: IDs, times, fictional numbers and poll counts. */
export function shapeOf(answer: string): string {
  const lines = answer
    .replace(/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/g, "<id>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/"took_ms": \d+/g, '"took_ms": <ms>')
    .replace(/\+1646555\d{4}/g, "<number>")
    .replace(/"key_hint":"\w+"/g, '"key_hint":"<hint>"')
    .split("\n")
    .filter((line) => line !== "" && !/^\["(queued|running)"/.test(line));
  return lines.filter((line, at) => line !== lines[at - 1]).join("\n");
}
