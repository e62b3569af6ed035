import { expect, test } from "vitest";
import { kindOf, mandatoryFields, type PartyNeeds } from "./didww.needs.rules.ts";

test.each([
  ["Passport", "passport"],
  ["Drivers License", "drivers_license"],
  [
    "Business Registration Certificate / Incorporation Certificate",
    "business_registration_certificate_incorp",
  ],
  ["Form 45", "form"],
  ["公司", "other"],
])("the proof type %j is the kind %s", (name, kind) => expect(kindOf(name)).toBe(kind));

const NEEDS: PartyNeeds = {
  fields: [],
  isInCountry: false,
  proofs: 0,
  proofTypes: [],
  permanent: undefined,
  onetime: undefined,
};

test.each([
  [["Birth Date", "Country", "Personal Tax ID"], false, ["birth_date", "country", "tax_id"]],
  [
    ["VAT Number / TAX Code", "Company ID", "Representative Tax ID"],
    false,
    ["vat_id", "registration_number", "tax_id"],
  ],
  [["birth_date", "company_reg_number"], true, ["birth_date", "registration_number", "country"]],
  [["Shoe Size"], false, [undefined]],
])("the mandatory fields %j are those of an end user", (fields, isInCountry, expected) =>
  expect(mandatoryFields({ ...NEEDS, fields, isInCountry })).toEqual(expected),
);
