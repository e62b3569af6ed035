/** Body of `createDocument`. */
export interface Files {
  kind: string;
  file_name: string;
  content: string;
}

/** A file that begins like a PDF, in Base64. */
export function pdfOf(text: string, bytes = 0): string {
  const start = Buffer.from(`%PDF-1.7\n${text}\n`);
  return Buffer.concat([start, Buffer.alloc(Math.max(0, bytes - start.length), " ")]).toString("base64");
}
