import type { Declaration } from "./contract.errors.ts";

/** Chapters of the reference, in this order. */
const TAGS: Record<string, string> = {
  Caller: "Who is calling, and what they belong to.",
  Numbers: "The numbers an organisation has: finding them, labelling them, taking them out as a table.",
  Live: "Which numbers have calls now.",
  Routing: "Where calls to a number should go, what the switches have made of it, and everything set before.",
  Usage: "What was called, how it ended and how long it took: added up, and call by call.",
  Connections: "Named trunks that numbers point at, so that changing one changes no number.",
  "Bulk changes": "The same change to many numbers: planned first, looked at, then applied.",
  Inventory: "Numbers that could be had.",
  Reservations: "Numbers kept for you while you decide.",
  Orders: "Getting numbers: what was ordered, and what became of each.",
  Releases: "Giving numbers up, and taking them back while they rest.",
  Jobs: "Work that goes on after a request was answered: how far it is, and how it ended.",
  "API keys":
    "Credentials for programs. A key is made in the dashboard, shown once, and can be replaced without a gap.",
  Members: "The people of an organisation, their roles, and how new ones come in.",
  "Single sign-on":
    "The identity providers through which an organisation's people sign in, the domains they speak for, and what the organisation requires of a sign-in.",
  Webhooks:
    "Events sent to your own address, signed, tried again until they arrive, and all of it to be seen.",
  Events: "What happened in the organisation, in order, to be followed from a cursor.",
  Audit: "Who did what, from where, and what was refused.",
  Sessions: "Signing in and out, and where you are signed in.",
  Tools: "How a tool on your machine, or one without a browser, gets a session of its own.",
  Account: "Your own password and e-mail address, and whatever else you sign in with.",
  Organisations: "The customers of this installation.",
  Users: "People with an account: who they are, and how to contain a compromised one.",
  "Held numbers": "Live numbers that organisations hold: who holds one, and how to suspend it.",
  Pool: "The operator's own numbers: how many there are, which, and how more come in.",
  Reconciliation: "What this installation holds beside what each carrier says it has.",
  Switches: "The machines that route calls, the groups they stand in, and how far each of them is.",
  Epochs: "Histories of the database: whether it was rolled back, and what switches do about it.",
  "Saved states": "What switches held when an epoch ended: evidence of what a rollback lost.",
  "Switch feed": "What the switches of a group should hold, and what each answers that it holds.",
  Calls: "What became of the calls a switch was given, and which are up now.",
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
