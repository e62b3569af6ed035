/** Where to go on, if it is a page of ours: whatever could lead elsewhere leads home. */
export function localPath(wanted: string | undefined): string {
  if (!wanted?.startsWith("/")) return "/";
  const url = new URL(wanted, location.origin);
  const isOurs = url.origin === location.origin && !/^\/[/\\]/.test(wanted);
  return isOurs ? `${url.pathname}${url.search}${url.hash}` : "/";
}
