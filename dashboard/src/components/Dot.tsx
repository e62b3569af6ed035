const LOOKS = {
  good: "bg-good-mark",
  wait: "bg-accent",
  warn: "bg-warn-mark",
  bad: "bg-bad-mark",
  off: "border-[1.5px] border-line-strong",
};

export type DotTone = keyof typeof LOOKS;

/** Coloured mark next to a word that says the same. */
export function Dot({ tone }: { tone: DotTone }) {
  return <span aria-hidden className={`inline-block size-1.75 shrink-0 rounded-full ${LOOKS[tone]}`} />;
}
