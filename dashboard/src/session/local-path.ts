import type { SignedIn } from "@dialplane/sdk";

/** Page to continue with if it is on our origin. Otherwise the home page, which prevents open redirects. */
export function localPath(wanted: string | undefined): string {
  if (!wanted?.startsWith("/")) return "/";
  const url = new URL(wanted, location.origin);
  const isOurs = url.origin === location.origin && !/^\/[/\\]/.test(wanted);
  return isOurs ? `${url.pathname}${url.search}${url.hash}` : "/";
}

/** Page after sign-in. Users who lack a required second factor add it first. */
export function afterSignIn({ enrolment_required }: SignedIn, path: string): string {
  return enrolment_required ? `/second-factor?${new URLSearchParams({ next: path })}` : path;
}
