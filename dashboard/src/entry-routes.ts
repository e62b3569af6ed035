import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute } from "@tanstack/react-router";
import { readNextSearch } from "./session/next-search.ts";
import { readReturnSearch } from "./session/return-search.ts";
import { page } from "./shell/lazy-page.ts";

export const root = createRootRouteWithContext<{ queries: QueryClient }>()();

/** Sign-in and mailed links: these need no session. */
export const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readNextSearch,
  component: page(() => import("./session/SignInPage.tsx"), "SignInPage"),
});
export const providerReturn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in/provider",
  validateSearch: readReturnSearch,
  component: page(() => import("./session/ProviderReturnPage.tsx"), "ProviderReturnPage"),
});
export const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  component: page(() => import("./session/ResetPasswordPage.tsx"), "ResetPasswordPage"),
});
export const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: page(() => import("./session/InvitationPage.tsx"), "InvitationPage"),
});
export const changeEmail = createRoute({
  getParentRoute: () => root,
  path: "/change-email",
  component: page(() => import("./session/ChangeEmailPage.tsx"), "ChangeEmailPage"),
});
