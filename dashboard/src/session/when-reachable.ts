import { reach } from "./client.ts";

const AGAIN_MS = 1_000;

/**
 * Part of the program that is fetched when it is first wanted. While the service is unreachable it is waited for, with the
 * page as it is; only a part that a service which answers does not have is a failure, as after a renewal.
 */
export function whenReachable<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load();
    } catch {
      await untilItAnswers();
      return load();
    }
  };
}

async function untilItAnswers(): Promise<void> {
  for (;;) {
    const isThere = await fetch("/livez", { cache: "no-store" }).then(
      ({ ok }) => ok,
      () => false,
    );
    reach.set(isThere ? "answers" : "silent");
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
