import { Type } from "typebox";

/** Credentials of a company with one API key. */
export const API_KEY = Type.Object(
  { api_key: Type.String({ minLength: 1, maxLength: 500, pattern: "^[!-~]+$" }) },
  { additionalProperties: false },
);
