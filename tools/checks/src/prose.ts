import { PROSE_RULES, type ProseRule, USER_TEXT_RULES } from "./prose-rules.ts";
import { type ProseArea, type ProseText, readTexts } from "./prose-texts.ts";

const USER_TEXTS: readonly ProseArea[] = ["reference", "errors", "cli", "dashboard"];

export interface ProseHit extends ProseText {
  rule: ProseRule;
  words: string;
}

/** An exact phrase that a rule would find, and the reason why it stays. */
export interface AllowedPhrase {
  phrase: string;
  reason: string;
}

/** More phrases would hide violations of the rules. */
export const MAX_ALLOWED = 30;

export function findProse(root: string, allowed: readonly AllowedPhrase[]): ProseHit[] {
  return readTexts(root).flatMap((found) => hitsIn(found, allowed));
}

function hitsIn(found: ProseText, allowed: readonly AllowedPhrase[]): ProseHit[] {
  const text = allowed.reduce((rest, { phrase }) => rest.replaceAll(phrase, ""), found.text);
  const rules = USER_TEXTS.includes(found.area) ? [...PROSE_RULES, ...USER_TEXT_RULES] : PROSE_RULES;
  return rules.flatMap((rule) =>
    [...text.matchAll(rule.pattern)].map(({ 0: words }) => ({ ...found, rule, words })),
  );
}

/** Allowed phrases that hide no hit. */
export function findUnusedPhrases(root: string, allowed: readonly AllowedPhrase[]): string[] {
  const texts = readTexts(root);
  return allowed
    .filter(
      (one) =>
        !texts.some(
          (found) =>
            found.text.includes(one.phrase) && hitsIn(found, [one]).length < hitsIn(found, []).length,
        ),
    )
    .map(({ phrase }) => phrase);
}

export function countByPath(hits: readonly ProseHit[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { path } of hits) counts[path] = (counts[path] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Hits that the baseline does not allow, and files with fewer hits than it says: it can only shrink. */
export function compareProse(
  hits: readonly ProseHit[],
  baseline: Readonly<Record<string, number>>,
): string[] {
  const counts = countByPath(hits);
  const added = hits.filter(({ path }) => counts[path]! > (baseline[path] ?? 0));
  const shrunk = Object.keys(baseline).filter((path) => (counts[path] ?? 0) < baseline[path]!);
  return [
    ...added.map(
      ({ path, line, words, rule }) => `${path}:${line}: "${words}" (${rule.id}): use ${rule.advice}`,
    ),
    ...shrunk.map((path) => `${path}: fewer hits than the baseline. Run npm run check:prose -- --update`),
  ];
}
