import { randomInt } from "node:crypto";

/** Another one each time; MODEL_SEED repeats a run that failed. */
export const MODEL_SEED = Number(process.env["MODEL_SEED"] ?? randomInt(2 ** 31));
