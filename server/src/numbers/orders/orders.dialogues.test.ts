import { randomInt } from "node:crypto";
import { test } from "vitest";
import { tryDialogues } from "./testing/order-dialogues.ts";

test(
  "whatever the carrier says and wherever workers stop, each item is bought once at most, every order ends, and what was bought is held or went back",
  { timeout: 180_000 },
  () => tryDialogues(120, randomInt(2 ** 31)),
);
