import type { Settings } from "./transport.ts";

/** Settings of a client. Without `baseUrl`, address and credential come from DIALPLANE_URL and DIALPLANE_API_KEY. */
export type ClientSettings = Partial<Settings>;

/** Completes the settings from the environment, and checks the address. */
export function completeSettings(given: ClientSettings): Settings {
  const { DIALPLANE_URL: url, DIALPLANE_API_KEY: key } = environment();
  // The key of the environment belongs to the address of the environment and is sent nowhere else.
  const defaults = given.baseUrl === undefined ? { baseUrl: url, credential: key } : {};
  const settings = { ...defaults, ...given };
  return { ...settings, baseUrl: checkedUrl(settings.baseUrl ?? url) };
}

function checkedUrl(text: string | undefined): string {
  const example = "for example https://numbers.example.com";
  if (!text)
    throw new TypeError(
      `The address of the service is missing. Pass baseUrl or set DIALPLANE_URL, ${example}.`,
    );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`baseUrl is ${JSON.stringify(text)}. Use an http or https address, ${example}.`);
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError(
      "baseUrl has a user, a password, a query or a fragment. Remove it and pass the credential.",
    );
  return text;
}

/** Empty in browsers. */
function environment(): Record<string, string | undefined> {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env ?? {};
}
