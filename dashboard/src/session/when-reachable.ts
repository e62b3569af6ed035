import { reach } from "./client.ts";

const AGAIN_MS = 1_000;

/**
 * Loads a lazy part of the program. Waits while the service is unreachable. Fails only if a reachable service
 * does not have the part, as after an upgrade.
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
