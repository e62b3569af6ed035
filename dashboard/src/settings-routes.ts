import { createRoute } from "@tanstack/react-router";
import { organisation } from "./session-routes.ts";
import { page } from "./shell/lazy-page.ts";

/** Pages that the settings of an organisation link to. */
export const evidence = createRoute({
  getParentRoute: () => organisation,
  path: "/evidence",
  component: page(() => import("./evidence/EvidencePage.tsx"), "EvidencePage"),
});
export const identityProviders = createRoute({
  getParentRoute: () => organisation,
  path: "/identity-providers",
  component: page(() => import("./identity-providers/IdentityProvidersPage.tsx"), "IdentityProvidersPage"),
});
export const signInPolicy = createRoute({
  getParentRoute: () => organisation,
  path: "/sign-in-policy",
  component: page(() => import("./sign-in-policy/SignInPolicyPage.tsx"), "SignInPolicyPage"),
});
