import type { Declaration } from "./contract.refusals.ts";

/** Chapters of the reference, in this order. */
const TAGS: Record<string, string> = {
  Caller: "Who is calling, and what they belong to.",
  "API keys":
    "Credentials for programs. A key is made in the dashboard, shown once, and can be replaced without a gap.",
  Members: "The people of an organisation, their roles, and how new ones come in.",
  Events: "What happened in the organisation, in order, to be followed from a cursor.",
  Audit: "Who did what, from where, and what was refused.",
  Sessions: "Signing in and out, and where you are signed in.",
  Account: "Your own password and e-mail address.",
  Organisations: "The customers of this installation.",
};

export function tagsOf(operations: readonly Declaration[]): { name: string; description: string }[] {
  const used = new Set(operations.map(({ tag }) => tag));
  const undescribed = [...used].filter((tag) => !(tag in TAGS));
  if (undescribed.length > 0)
    throw new Error(`contract.tags.ts does not describe the tag ${undescribed.join(", ")}.`);
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
