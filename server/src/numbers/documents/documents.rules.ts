export const MEDIA_TYPES = ["application/pdf", "image/png", "image/jpeg"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** Kinds that carriers usually name. They can name others. */
export const DOCUMENT_KINDS = [
  "identity",
  "proof_of_address",
  "business_registration",
  "tax_registration",
  "letter_of_authorisation",
  "other",
] as const;

export const MOST_DOCUMENT_BYTES = 5 * 1024 * 1024;
/** Its length in Base64. */
export const MOST_BASE64 = 4 * Math.ceil(MOST_DOCUMENT_BYTES / 3);

/** First bytes of a file of each type. */
const SIGNATURES: Record<MediaType, Buffer> = {
  "application/pdf": Buffer.from("%PDF-"),
  "image/png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  "image/jpeg": Buffer.from([0xff, 0xd8, 0xff]),
};

/** The type that the file really has, whatever its name and its sender say. */
export function mediaTypeOf(content: Buffer): MediaType | undefined {
  return MEDIA_TYPES.find((type) => SIGNATURES[type].equals(content.subarray(0, SIGNATURES[type].length)));
}

/** Undefined if the text is not Base64 to the last character. */
export function bytesOf(base64: string): Buffer | undefined {
  const content = Buffer.from(base64, "base64");
  return content.toString("base64") === base64 ? content : undefined;
}
