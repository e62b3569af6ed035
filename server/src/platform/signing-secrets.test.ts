import { expect, test } from "vitest";
import { afterRotation, signingVersions } from "./signing-secrets.ts";

const NOW = new Date("2026-11-15T12:00:00Z");
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);

test("every secret signs for a day after the next one, and ten at most", () => {
  const first = { secret_version: 1, previous_secrets_until: [], secret_roots: [1] };
  expect(afterRotation(first, 3, NOW)).toEqual({
    secret_version: 2,
    previous_secrets_until: [inHours(24)],
    secret_roots: [3, 1],
  });
  const third = {
    secret_version: 3,
    previous_secrets_until: [inHours(3), inHours(-1)],
    secret_roots: [3, 1, 1],
  };
  const fourth = afterRotation(third, 5, NOW);
  expect(fourth).toEqual({
    secret_version: 4,
    previous_secrets_until: [inHours(24), inHours(3)],
    secret_roots: [5, 3, 1],
  });
  const nine = Array.from({ length: 9 }, () => inHours(1));
  const many = { secret_version: 10, previous_secrets_until: nine, secret_roots: Array(10).fill(1) };
  expect(afterRotation(many, 3, NOW).previous_secrets_until).toHaveLength(9);
  expect(afterRotation(many, 3, NOW).secret_roots).toHaveLength(10);
  expect(
    signingVersions({ ...fourth, previous_secrets_until: [inHours(24), inHours(3), inHours(-1)] }, NOW),
  ).toEqual([
    { version: 4, rootId: 5, until: null },
    { version: 3, rootId: 3, until: inHours(24) },
    { version: 2, rootId: 1, until: inHours(3) },
  ]);
});
