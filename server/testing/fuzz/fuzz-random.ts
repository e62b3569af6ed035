import { randomFrom } from "../random.ts";

/** Choices that follow from a seed alone. */
export interface Chooser {
  /** True in this share of all cases. */
  chance(share: number): boolean;
  /** From 0, below the limit. */
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** Each request has its own: its choices do not depend on how requests overlap. */
export function chooserFor(seed: number, index: number): Chooser {
  const random = randomFrom((seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0);
  const below = (limit: number): number => Math.floor(random() * limit);
  return {
    chance: (share) => random() < share,
    below,
    pick: (values) => values[below(values.length)]!,
  };
}
