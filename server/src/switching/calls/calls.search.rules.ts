/** A text that looks like a phone number is the start of one. Any other is a Call-ID. */
export function searchedBy(q: string): { prefix?: string; sip_call_id?: string } {
  const digits = q.replaceAll(/[\s()./-]/g, "").replace(/^00|^\+/, "");
  return /^\d{2,15}$/.test(digits) ? { prefix: `+${digits}` } : { sip_call_id: q };
}
