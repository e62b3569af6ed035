/** A wording that reads as translated, and what to write instead. docs/style.md gives the reasons. */
export interface ProseRule {
  id: string;
  pattern: RegExp;
  advice: string;
}

/** Start of a text or of a sentence in it. */
const START = String.raw`(?:^|(?<=[.;:|!] ))`;
const be = "(?:is|are|was|were|be|been|being)";

function rule(id: string, pattern: string, advice: string, flags = "gi"): ProseRule {
  return { id, pattern: new RegExp(pattern, flags), advice };
}

export const PROSE_RULES: readonly ProseRule[] = [
  rule(
    "person",
    String.raw`\b(?:whoever|whomever|nobody|somebody|anybody|everybody)\b`,
    "name the role: caller, operator, worker, another client",
  ),
  rule(
    "told",
    String.raw`\b(?:told|tells|telling)\b|\btell (?:of|how|whether|what|where|which)\b`,
    "sends, reports, notifies, shows",
  ),
  rule("heard", String.raw`\b(?:heard|hears|hear)\b`, "received; no report from"),
  rule(
    "asked",
    String.raw`\b${be} (?:not )?asked\b|\basks? (?:again|anew)\b`,
    "queries, requests, polls, prompts",
  ),
  rule(
    "of-ours",
    String.raw`\bof (?:ours|yours|theirs|mine|(?:its|their|our|your|one's) own)\b`,
    "our, your, its own, before the noun",
  ),
  rule(
    "noun-clause",
    String.raw`${START}(?:What|Who|Whom|Whose|How far|(?:Until|Since) when|From where|Up to (?:which|where)|(?:By|Under) which)\b(?!'s)[^.?!;|]*(?=[.!;|]|$)(?!\?)`,
    "a noun such as limit, count, result; or a verb",
    "g",
  ),
  rule(
    "fragment",
    String.raw`${START}(?:(?:Of|Beside|Among) (?:a|an|the|this|these|those|what|which|several|many|all|both|any|one|two|its|our|such)|As (?:in|for|it|they|before|above))\b`,
    "a sentence that starts with its subject",
    "g",
  ),
  rule(
    "so-many",
    String.raw`\bso (?:many|much|long)\b(?! (?:as|that))`,
    "the count, limit or duration by name",
  ),
  rule("goes-on", String.raw`\b(?:go|goes|going|went) on\b`, "continue, remain valid"),
  rule("by-itself", String.raw`\bby (?:itself|themselves)\b`, "automatically; alone"),
  rule("meanwhile", String.raw`\bmeanwhile\b`, "since then, concurrently"),
  rule("mend", String.raw`\bmend(?:s|ed|ing)?\b`, "fix, repair"),
  rule(
    "side",
    String.raw`\b(?:live|test|each|both|either|other|which|two) sides?\b(?! by)|\bthe side\b|\bside of (?:an|the|this|every) organisation\b`,
    "environment",
  ),
  rule(
    "written-down",
    String.raw`\b(?:write|writes|written|writing|wrote) (?:it |them )?down\b`,
    "save, store, record, log",
  ),
  rule("any-more", String.raw`\bany ?more\b`, "no longer"),
  rule("be-had", String.raw`\b(?:be|been) had\b`, "available"),
  rule(
    "take-back",
    String.raw`\b(?:give|gives|given|gave|giving|take|takes|taken|took|taking) (?:\w+ ){0,4}back\b`,
    "restore, return to the carrier, release, undo",
  ),
  rule("rests", String.raw`\b(?:it|number|that|which) rests\b|\bresting\b|\bnot rest\b`, "is in quarantine"),
  rule(
    "let-in",
    String.raw`\blet (?:\S+ ){1,3}in\b(?! \w)|\blet in\b|\bkept out\b|\bkeep (?:it|the tool) out\b`,
    "authorise, deny, sign in",
  ),
  rule(
    "became-of",
    String.raw`\b(?:becomes?|became|made) of (?:it|them|each|that|this|orders|a|the|what|every|one)\b`,
    "result, outcome, status",
  ),
  rule(
    "archaic",
    String.raw`\b(?:anew|once more|for ever|all the same|again and again|over and over|henceforth|in vain|one day)\b`,
    "again, forever, anyway, repeatedly",
  ),
  rule("else-than", String.raw`\b(?:else|otherwise) than\b`, "other than, different from"),
  rule("very", String.raw`\b(?:the|this|these|that) very\b`, "exact, same, this"),
  rule(
    "is-no",
    String.raw`(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer|more|less|such|one\b|matter)[a-z]+`,
    "is not a",
    "g",
  ),
  rule("no-such-thing", String.raw`\bno such thing\b|\bnothing here\b`, "No <resource> with this ID"),
  rule(
    "answer",
    String.raw`\b(?:the|its|an|first|stored|each|every|whose|their) answers?\b|\b(?:is|are|was|be|been) answered (?:with|at|as|once|when|like|in)\b|\banswers? (?:with|at|how|what|where|which|whether|alike|the|as)\b|(?:^|\. )Answers?\b`,
    "response, respond, return; only calls are answered",
    "g",
  ),
  rule("refuse", String.raw`\brefus(?:e|es|ed|al|als|ing)\b`, "reject, deny, error"),
  rule(
    "where-if",
    String.raw`${START}Where (?!to\b)[^?]*$|\b(?:null|nothing|none|absent|false|true|empty) where\b|\b[Nn]othing (?:where|when|if|after|once)\b`,
    "if, when; null if, undefined if",
    "g",
  ),
  rule("made", String.raw`\b${be} (?:made|unmade)\b(?! (?:up|of|by))`, "created, generated, built"),
  rule(
    "state",
    String.raw`\b(?:is|are|was|were) (?:so|away|over|at it|under way)\b(?! (?:a|the|that|to|\d))|\bcalls? (?:that|which) (?:is|are|were|was) up\b`,
    "unreachable, finished, in progress, active calls",
  ),
  rule("stands", String.raw`\b(?:stands?|stood)\b(?! by| for)`, "is, appears, is listed"),
  rule("beside", String.raw`\bbeside\b`, "next to, with, compared with"),
  rule(
    "hand-over",
    String.raw`\bhand(?:s|ed|ing)? (?:it |them )?(?:over|on|down)\b|\bin hand\b`,
    "send, upload, pass; claimed",
  ),
  rule("email", String.raw`\be-mail`, "email"),
  rule("telephone", String.raw`\btelephones?\b`, "phone"),
  rule("tried-again", String.raw`\b${be} tried (?:\w+ )?again\b|\btries (?:\w+ )?again\b`, "retry, retried"),
  rule("from-then-on", String.raw`\bfrom (?:then|here|there) on\b`, "afterwards, or nothing"),
  rule(
    "odd",
    String.raw`\b(?:dawdles?|is dear|reckon(?:s|ed)?|knocking|deaf|speaks? for|leads? (?:nowhere|anywhere|to no)|put right|be glad of|a yes\b|a no\b)`,
    "the technical word",
  ),
];

/** Also holds for text that users read: API reference, errors, CLI and dashboard. */
export const USER_TEXT_RULES: readonly ProseRule[] = [
  rule("semicolon", String.raw`; (?=\w)`, "two sentences"),
];
