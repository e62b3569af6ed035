/** A way for a call to end. */
export interface Outcome {
  isAnswered: boolean;
  code: number;
  why: string | null;
  /** Share of calls, in percent. */
  share: number;
  /** How long it rings on average. */
  ringMs: number;
}

/** One for each result that a call can have, in the order in which the magic number shows them. */
export const OUTCOMES: readonly Outcome[] = [
  { isAnswered: true, code: 200, why: null, share: 72, ringMs: 6_000 },
  { isAnswered: false, code: 486, why: null, share: 8, ringMs: 1_000 },
  { isAnswered: false, code: 408, why: "no_answer", share: 10, ringMs: 30_000 },
  { isAnswered: false, code: 487, why: null, share: 6, ringMs: 9_000 },
  { isAnswered: false, code: 603, why: null, share: 3, ringMs: 2_000 },
  { isAnswered: false, code: 503, why: "no_target", share: 1, ringMs: 500 },
];

const TALK_MS = 110_000;
const LONGEST_TALK_MS = 1_800_000;
/** The magic number is for people who watch: short, and always the same. */
const MAGIC_RING_MS = 1_000;
const MAGIC_TALK_MS = 20_000;

export function randomOutcome(random = Math.random): Outcome {
  let left = random() * 100;
  return OUTCOMES.find(({ share }) => (left -= share) < 0) ?? OUTCOMES[0]!;
}

/** Most calls are short and a few are long: exponential, as phone traffic is. */
export function lengthOf(
  { isAnswered, ringMs }: Outcome,
  isMagic = false,
  random = Math.random,
): { ringMs: number; talkMs: number } {
  if (isMagic) return { ringMs: MAGIC_RING_MS, talkMs: isAnswered ? MAGIC_TALK_MS : 0 };
  const talkMs = Math.min(LONGEST_TALK_MS, 3_000 - Math.log(1 - random()) * TALK_MS);
  return { ringMs: Math.round(ringMs * (0.5 + random())), talkMs: isAnswered ? Math.round(talkMs) : 0 };
}
