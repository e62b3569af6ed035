/** The list of pages is longer than most windows. On a phone it has no scroll bar and is left alone. */
export function showWhereWeAre(): void {
  const list = document.querySelector<HTMLElement>("#navigation")!;
  const current = list.querySelector<HTMLElement>("[aria-current]");
  if (!current || list.scrollHeight <= list.clientHeight) return;
  const below = current.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
  if (below > 0) list.scrollTop += below + list.clientHeight / 3;
}
