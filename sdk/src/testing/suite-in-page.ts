import { runGuarantees } from "./guarantees.ts";

/** As a script of a page, which the test then calls. */
Object.assign(globalThis, { runGuarantees });
