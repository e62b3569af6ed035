import { type Static, Type } from "typebox";
import { DateTime, described, Id, nullable, pageShape, shape } from "../../platform/http/shapes.ts";

/** Text on one line. */
const LINE = String.raw`^[^\u0000-\u001f\u007f]*\S[^\u0000-\u001f\u007f]*$`;

const line = (maxLength: number, example: string, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: LINE, examples: [example], description });

const FIELDS = {
  name: line(200, "Northwind Telecom GmbH", "Person or company at the address."),
  street: line(200, "Torstraße 12", "Street and house number."),
  city: line(100, "Berlin", "City."),
  postal_code: Type.String({
    minLength: 1,
    maxLength: 20,
    pattern: "^[0-9A-Za-z]([0-9A-Za-z -]*[0-9A-Za-z])?$",
    examples: ["10119"],
    description: "Postal code: letters, digits, spaces and hyphens.",
  }),
  country: Type.String({
    pattern: "^[A-Z]{2}$",
    maxLength: 2,
    examples: ["DE"],
    description: "ISO 3166-1 alpha-2 country code.",
  }),
};
const Region = line(100, "Berlin", "State, province or region.");

export const CreateAddress = shape("CreateAddress", { ...FIELDS, region: Type.Optional(Region) });
export type CreateAddress = Static<typeof CreateAddress>;

export const Address = shape("Address", {
  id: described(Id, "ID of the address."),
  ...FIELDS,
  region: described(nullable(Region), "State, province or region. `null` if none was given."),
  created_at: described(DateTime, "Time when the address was created."),
});
export type Address = Static<typeof Address>;

export const AddressPage = pageShape("AddressPage", Address);
