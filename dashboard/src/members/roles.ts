export const ROLES = ["owner", "admin", "developer", "member"] as const;
export type Role = (typeof ROLES)[number];

/** Members cannot grant a role above their own. */
export function rolesGivenBy(own: string | null): readonly Role[] {
  return own === "owner" ? ROLES : own === "admin" ? ROLES.slice(1) : [];
}
