import { type Static, Type } from "typebox";
import { DateTime, described, Id, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";
import { DOCUMENT_KINDS, MEDIA_TYPES, MOST_BASE64, MOST_DOCUMENT_BYTES } from "./documents.rules.ts";

const FileName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: String.raw`^[^\u0000-\u001f\u007f/\\]*[^\u0000-\u001f\u007f/\\\s][^\u0000-\u001f\u007f/\\]*$`,
  examples: ["registration.pdf"],
  description: "Name of the file, without a folder.",
});
const Content = Type.String({
  minLength: 4,
  maxLength: MOST_BASE64,
  pattern: "^[A-Za-z0-9+/]+={0,2}$",
  examples: ["JVBERi0xLjcK"],
  description: "Content of the file in Base64, with padding and without line breaks.",
});
const Kind = Type.String({
  maxLength: 40,
  pattern: "^[a-z][a-z_]*$",
  examples: ["business_registration"],
  description: `Kind of the document. A requirement lists the kinds that the carrier accepts. Usual kinds: ${DOCUMENT_KINDS.map((kind) => `\`${kind}\``).join(", ")}.`,
});

export const CreateDocument = shape("CreateDocument", {
  kind: Kind,
  file_name: FileName,
  content: described(
    Content,
    "Content of the file in Base64, with padding and without line breaks: a PDF, PNG or JPEG of at most 5 MiB.",
  ),
});
export type CreateDocument = Static<typeof CreateDocument>;

const FIELDS = {
  id: described(Id, "ID of the document."),
  kind: Kind,
  file_name: FileName,
  media_type: openEnum(MEDIA_TYPES, "Type of the file, which the service reads from its first bytes."),
  size: Type.Integer({
    minimum: 1,
    maximum: MOST_DOCUMENT_BYTES,
    format: "int32",
    examples: [482_113],
    description: "Size of the file in bytes.",
  }),
  created_at: described(DateTime, "Time when the document was created."),
};

export const Document = shape("Document", FIELDS);
export type Document = Static<typeof Document>;

export const DocumentContent = shape("DocumentContent", { ...FIELDS, content: Content });
export type DocumentContent = Static<typeof DocumentContent>;

export const DocumentPage = pageShape("DocumentPage", Document);
