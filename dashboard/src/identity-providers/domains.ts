/** As people write several: with commas, spaces or lines between them, in whatever case. */
export function domainsIn(text: string): string[] {
  return [
    ...new Set(
      text
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter(Boolean),
    ),
  ];
}
