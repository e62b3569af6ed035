import { usageFailure } from "./cli-failure.ts";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** As the sign-in is kept under: no slash at the end. Secrets do not travel in the clear, but for this machine. */
export function readServiceUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw usageFailure(
      `“${text}” is not a valid service address. Use one such as https://numbers.example.com.`,
    );
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname))
    throw usageFailure(`${text} would send your credential unencrypted. Use https.`);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}
