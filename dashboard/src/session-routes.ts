import { AuthenticationError } from "@dialplane/sdk";
import { createRoute, redirect } from "@tanstack/react-router";
import { root } from "./entry-routes.ts";
import { readNextSearch } from "./session/next-search.ts";
import { meQuery } from "./session/session.ts";
import { readToolSearch } from "./session/tool-search.ts";
import { lastPlace } from "./shell/last-place.ts";
import { page } from "./shell/lazy-page.ts";

/** Pages that need a session. Without one, the user signs in and returns. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  async beforeLoad({ context, location: wanted }) {
    try {
      return { me: await context.queries.query({ ...meQuery, staleTime: "static" }) };
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      const search = wanted.href === "/" ? {} : { next: wanted.href };
      redirect({ to: "/sign-in", search, throw: true });
      throw error; // redirect has thrown; the compiler does not know
    }
  },
});
export const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad({ context: { me } }) {
    const place = lastPlace(me);
    if (place) redirect({ to: "/o/$organisation/$environment/overview", params: place, throw: true });
  },
  component: page(() => import("./shell/NoOrganisationPage.tsx"), "NoOrganisationPage"),
});
/** Tools that request access, and sign-in settings. */
export const authorise = createRoute({
  getParentRoute: () => signedIn,
  path: "/authorise",
  validateSearch: readToolSearch,
  component: page(() => import("./session/AuthorisePage.tsx"), "AuthorisePage"),
});
export const device = createRoute({
  getParentRoute: () => signedIn,
  path: "/device",
  component: page(() => import("./session/DevicePage.tsx"), "DevicePage"),
});
export const security = createRoute({
  getParentRoute: () => signedIn,
  path: "/account/security",
  component: page(() => import("./account/SecurityPage.tsx"), "SecurityPage"),
});
export const secondFactor = createRoute({
  getParentRoute: () => signedIn,
  path: "/second-factor",
  validateSearch: readNextSearch,
  component: page(() => import("./session/SecondFactorPage.tsx"), "SecondFactorPage"),
});
/** Pages of an organisation, in one environment. */
export const organisation = createRoute({
  getParentRoute: () => signedIn,
  path: "/o/$organisation/$environment",
  component: page(() => import("./shell/Shell.tsx"), "Shell"),
});
