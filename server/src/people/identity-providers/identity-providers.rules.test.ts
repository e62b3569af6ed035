import { expect, test } from "vitest";
import { DOMAIN_PATTERN, domainOf, entryOf, type Standing } from "./identity-providers.rules.ts";

const ADA = {
  id: "1",
  email: "ada@example.com",
  name: "Ada",
  password_hash: null,
  is_operator: false,
  created_at: new Date(0),
  disabled_at: null,
};
const KNOWN: Standing = {
  domains: new Set(["example.com"]),
  email: "ada@example.com",
  isEmailVerified: true,
  linked: undefined,
  account: ADA,
  isMember: true,
  isOtherSubjects: false,
  isInvited: false,
};
const DISABLED = { ...ADA, disabled_at: new Date(0) };

test.each<[what: string, change: Partial<Standing>, entry: string]>([
  ["a member signs in for the first time", {}, "link"],
  ["a member comes again", { linked: ADA }, "enter"],
  [
    "a member comes again under another address of the domain",
    { linked: ADA, email: "lovelace@example.com", account: undefined },
    "enter",
  ],
  ["somebody invited has no account yet", { account: undefined, isMember: false, isInvited: true }, "join"],
  ["no address", { email: undefined }, "sends no email address"],
  ["an address nobody has verified", { isEmailVerified: false }, "email_verified"],
  ["an address of another domain", { email: "ada@example.org" }, "has not verified the domain example.org"],
  [
    "an address of a domain below",
    { email: "ada@mail.example.com" },
    "has not verified the domain mail.example.com",
  ],
  [
    "a known subject with an address of another domain",
    { linked: ADA, email: "ada@example.org" },
    "has not verified",
  ],
  [
    "a known subject whose account has moved away",
    { linked: { ...ADA, email: "ada@home.example" } },
    "no longer verified by your organisation",
  ],
  ["a disabled account", { account: DISABLED }, "disabled"],
  ["a disabled account of a known subject", { linked: DISABLED }, "disabled"],
  ["nobody we know", { account: undefined, isMember: false }, "Ask an owner to invite you"],
  ["an account of others, invited or not", { isMember: false, isInvited: true }, "accept an invitation"],
  ["an account that another subject has", { isOtherSubjects: true }, "another identity of your provider"],
])("AU-12 %s", (_, change, expected) => {
  const entry = entryOf({ ...KNOWN, ...change });

  expect(typeof entry === "object" ? entry.apiError : entry).toContain(expected);
});

test.each([
  ["example.com", true],
  ["a-b.example.co.uk", true],
  ["xn--bcher-kva.example", true],
  ["Example.com", false],
  ["example", false],
  ["example.com.", false],
  ["-a.example.com", false],
  ["127.0.0.1", false],
  ["a@example.com", false],
  ["*.example.com", false],
  [`${"a".repeat(64)}.example.com`, false],
])("whether %s can be the domain of addresses: %j", (domain, can) => {
  expect(new RegExp(DOMAIN_PATTERN).test(domain)).toBe(can);
});

test("the domain of an address is what follows its last @", () => {
  expect(domainOf("ada@example.com")).toBe("example.com");
});
