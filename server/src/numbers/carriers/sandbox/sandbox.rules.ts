import type { Evidence, RequirementType } from "../carrier.ts";

/** How the sandbox takes an order or a release. */
export type Manner =
  | "slow"
  | "pending"
  | "refused"
  | "sold_meanwhile"
  | "partial"
  | "timed_out"
  | "failed"
  | "lost"
  | "unreachable"
  | "silent"
  | "sold_on";

interface Script {
  order?: Manner;
  release?: Manner;
  /** Text of docs/test-environment.md. */
  what: string;
}

/** By the last two digits of the number. All others are bought and returned at once. */
export const SCRIPTS: Readonly<Record<string, Script>> = {
  10: { order: "slow", what: "The carrier sells it at once, but responds after 2 seconds." },
  11: { order: "pending", what: "The carrier accepts the order and sells it 5 seconds later." },
  12: { order: "refused", what: "The carrier rejects the order." },
  13: {
    order: "sold_meanwhile",
    what: "It is available in searches, but sold to another customer when you order it.",
  },
  14: { order: "partial", what: "The carrier sells it and rejects all later numbers of the same order." },
  15: {
    order: "timed_out",
    what: "The carrier sells it, but the request times out. The order status shows it as sold.",
  },
  16: {
    order: "failed",
    what: "The carrier sells it, but returns an error. The order status shows it as sold.",
  },
  17: { order: "lost", what: "The order is lost before it reaches the carrier. The retry buys it." },
  18: { order: "unreachable", what: "The carrier is unreachable for 3 seconds. Then it sells the number." },
  19: {
    order: "silent",
    what: "The carrier sells it, but responds to no request for 10 seconds.",
  },
  20: { release: "slow", what: "The carrier accepts the return at once, but responds after 2 seconds." },
  21: { release: "pending", what: "The carrier accepts the release and completes it 5 seconds later." },
  22: { release: "refused", what: "The carrier rejects the release." },
  23: {
    release: "timed_out",
    what: "The carrier completes the release, but the request times out. The release status shows it as returned.",
  },
  24: {
    release: "failed",
    what: "The carrier completes the release, but returns an error. The release status shows it as returned.",
  },
  25: { release: "lost", what: "The release is lost before it reaches the carrier. The retry succeeds." },
  26: {
    release: "unreachable",
    what: "The carrier is unreachable for 3 seconds. Then it completes the release.",
  },
  27: {
    release: "silent",
    what: "The carrier completes the release, but responds to no request for 10 seconds.",
  },
  28: {
    release: "sold_on",
    what: "The carrier completes the release and sells it to another customer, so it cannot be restored.",
  },
};

/** A requirement of the simulated carrier. */
interface SandboxRequirement {
  id: string;
  type: RequirementType;
  description: string;
  country?: string;
  documentKinds?: readonly string[];
}

const ADDRESS = {
  id: "address",
  type: "address",
  description: "Address of the end user in the United States.",
  country: "US",
} as const;
const IDENTITY = {
  id: "identity",
  type: "document",
  description: "Proof of identity or registration of the end user.",
  documentKinds: ["identity", "business_registration"],
} as const;

/** Area codes whose numbers need evidence, and the text of docs/test-environment.md. */
export const REQUIRING: Readonly<Record<string, { needs: readonly SandboxRequirement[]; what: string }>> = {
  628: { needs: [ADDRESS], what: "An address in the United States." },
  629: {
    needs: [ADDRESS, IDENTITY],
    what: "An address in the United States, and a document of the kind `identity` or `business_registration`.",
  },
};

export function requirementsFor(e164: string): readonly SandboxRequirement[] {
  return REQUIRING[e164.slice(2, 5)]?.needs ?? [];
}

/** Time from a submission to its result. */
export const REVIEW_MS = 3_000;

/** Undefined if the evidence is accepted. */
export function rejectionOf(evidence: Evidence): string | undefined {
  if (evidence.type === "address" && evidence.address.city === "Rejected")
    return "The address does not exist: its city is Rejected.";
  if (evidence.type === "document" && evidence.document.file_name.startsWith("rejected"))
    return "The document is not legible: its name begins with rejected.";
  if (evidence.type === "end_user" && evidence.endUser.name === "Rejected")
    return "The end user is unknown: the name is Rejected.";
  return undefined;
}

export const PENDING_MS = 5_000;
export const UNREACHABLE_MS = 3_000;
export const SILENT_MS = 10_000;

export function orderMannerOf(e164: string): Manner | undefined {
  return SCRIPTS[e164.slice(-2)]?.order;
}

export function releaseMannerOf(e164: string): Manner | undefined {
  return SCRIPTS[e164.slice(-2)]?.release;
}

/** North America keeps 555-0100 to 555-0199 of every area code for fiction. */
export function isFictional(e164: string): boolean {
  return /^\+1[2-9]\d{2}55501\d{2}$/.test(e164);
}

/** Returns the numbers of an order that the sandbox sells: fictional numbers whose script allows it. */
export function saleable(e164s: readonly string[]): string[] {
  const last = e164s.findIndex((e164) => orderMannerOf(e164) === "partial");
  return e164s.filter(
    (e164, at) => isFictional(e164) && orderMannerOf(e164) !== "refused" && (last === -1 || at <= last),
  );
}

/** US area codes, in ascending order. Orders may name a number of any area code. */
const AREA_CODES =
  "201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 253 254 256 260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323 330 334 336 337 346 347 352 360 361 386 401 402 404 405 406 407 408 409 410 412 413 414 415 417 419 423 424 425 432 434 435 440 443 469 478 479 480 484 501 502 503 504 505 507 508 509 510 512 513 515 516 517 518 520 530 540 541 551 559 561 562 563 567 570 571 573 574 580 585 586 601 602 603 605 606 607 608 609 610 612 614 615 616 617 618 619 620 623 626 630 631 636 641 646 650 651 660 661 662 678 682 701 702 703 704 706 707 708 712 713 714 715 716 717 718 719 720 724 727 731 732 734 740 754 757 760 763 765 770 772 773 774 775 781 785 786 801 802 803 804 805 806 808 810 812 813 814 815 816 817 818 828 830 831 832 843 845 847 848 850 856 857 858 859 860 863 864 865 870 901 903 904 906 907 908 909 910 912 913 914 915 916 917 918 919 920 925 928 931 936 937 940 941 949 951 952 954 956 970 971 972 973 978 979 980 985 989".split(
    " ",
  );

/** A prefix this long names a decade at most: who gives one wants what it holds, scripted or not. */
const SPELT_OUT = 10;

/** The fictional numbers that match, in ascending order. Scripted ones are shown only where they are spelt out. */
export function* fictionalNumbers(query: {
  contains?: string | undefined;
  prefix?: string | undefined;
  after?: string | undefined;
}): Generator<string> {
  const { contains = "", prefix = "", after = "" } = query;
  const showsScripted = prefix.length >= SPELT_OUT;
  const spelt = REQUIRING[prefix.slice(1, 4)] ? [prefix.slice(1, 4)] : [];
  for (const code of spelt.length > 0 ? spelt : AREA_CODES) {
    const range = `1${code}55501`;
    if (!range.startsWith(prefix.slice(0, range.length)) || `+${range}99` <= after) continue;
    for (let last = 0; last < 100; last++) {
      const ending = String(last).padStart(2, "0");
      const digits = range + ending;
      const isShown = showsScripted || SCRIPTS[ending] === undefined;
      if (isShown && `+${digits}` > after && digits.startsWith(prefix) && digits.includes(contains))
        yield `+${digits}`;
    }
  }
}
