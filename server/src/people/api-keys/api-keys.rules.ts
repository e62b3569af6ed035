import type { Role, Scope } from "../../platform/http/access.ts";

/** A key can do no more than the member who creates it: developers and members cannot read the audit log. */
export function rolesToCreate(scopes: readonly Scope[]): readonly Role[] {
  return scopes.includes("audit") ? ["owner", "admin"] : ["owner", "admin", "developer"];
}

export function mayCreate(role: Role, { scopes }: { scopes: readonly Scope[] }): boolean {
  return rolesToCreate(scopes).includes(role);
}
