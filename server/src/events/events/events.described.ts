import type { Type } from "typebox";

type Fields = Parameters<typeof Type.Object>[0];

export interface Described {
  /** One sentence for the reference: when the event occurs. */
  when: string;
  /** Resource whose ID is in `subject`. */
  subject: string;
  /** Fields of `data`. */
  data: Fields;
}

export function of<Data extends Fields>(
  subject: string,
  when: string,
  data: Data,
): { when: string; subject: string; data: Data } {
  return { when, subject, data };
}
