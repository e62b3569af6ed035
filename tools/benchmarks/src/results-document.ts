/** Each part of results.md begins with a level-1 heading. Replaces the part in place, or appends it. */
export function withPart(document: string, part: string): string {
  const heading = part.slice(0, part.indexOf("\n"));
  const parts = document.split(/^(?=# )/m).filter((one) => one.trim() !== "");
  const at = parts.findIndex((one) => one.startsWith(`${heading}\n`));
  const others = at === -1 ? [...parts, part] : parts.with(at, part);
  return others.map((one) => `${one.trimEnd()}\n`).join("\n");
}
