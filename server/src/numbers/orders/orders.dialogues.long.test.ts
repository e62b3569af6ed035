import { randomInt } from "node:crypto";
import { test } from "vitest";
import { tryDialogues } from "./testing/order-dialogues.ts";

test(
  "10,000 dialogues with the carrier: each item is bought once at most, every order ends, and what was bought is held or went back",
  { timeout: 3_600_000 },
  () => tryDialogues(10_000, randomInt(2 ** 31)),
);
