import type { Environment } from "./program.ts";

/** Settings that make a program of Node believe it is later. */
export function movedClock(byMs: number): Environment {
  const source = `
    const Real = Date;
    globalThis.Date = class Date extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + ${byMs}) : super(...given); }
      static now() { return Real.now() + ${byMs}; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
}
