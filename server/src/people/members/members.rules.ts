/** From the most to the least powerful. A member may grant, change and remove roles up to their own. */
const ORDER = ["owner", "admin", "developer", "member"];

export function isAbove(role: string, own: string | null): boolean {
  return own === null || ORDER.indexOf(role) < ORDER.indexOf(own);
}
