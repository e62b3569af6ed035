import { type Static, Type } from "typebox";
import { DateTime, Email, Id, Name, pageShape, shape } from "../../platform/http/shapes.ts";

export const CreateOrganisation = shape("CreateOrganisation", {
  name: Name,
  owner_email: Type.Optional(Email),
});
export type CreateOrganisation = Static<typeof CreateOrganisation>;

export const Organisation = shape("Organisation", {
  id: Id,
  name: Type.String({ maxLength: 200 }),
  created_at: DateTime,
});
export type Organisation = Static<typeof Organisation>;

export const OrganisationPage = pageShape("OrganisationPage", Organisation);
