export const ROLES = ["owner", "admin", "developer", "member"] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_SAYS: Record<Role, string> = {
  owner: "Everything, including making and unmaking owners.",
  admin: "People and numbers, but nobody above themselves.",
  developer: "Builds on the service: routing, API keys, events.",
  member: "Reads numbers, usage, orders and jobs; nothing of routing.",
};

/** Members cannot grant a role above their own. */
export function rolesGivenBy(own: string | null): readonly Role[] {
  return own === "owner" ? ROLES : own === "admin" ? ROLES.slice(1) : [];
}
