import { AuthenticationError, type Client, type LiveNumber } from "@dialplane/sdk";
import { useEffect, useState } from "react";
import { withSession } from "../session/session.ts";

/** Last report of each number, and the state of the connection. */
export interface Live {
  numbers: ReadonlyMap<string, LiveNumber>;
  /** Time of the last message from the service. */
  asOf: string | undefined;
  line: "opening" | "open" | "broken";
}

const NOTHING: Live = { numbers: new Map(), asOf: undefined, line: "opening" };
const AGAIN_MS = 3_000;

/** Follows the active calls of numbers. While paused, the last report stays. */
export function useLive(client: Client, ids: readonly string[], isPaused = false): Live {
  const [live, setLive] = useState(NOTHING);
  const key = ids.join();
  useEffect(() => setLive(NOTHING), [client, key]);
  useEffect(() => {
    if (isPaused || key === "") return;
    const stop = new AbortController();
    const { signal } = stop;
    const follow = async (): Promise<void> => {
      for await (const { as_of, data } of client.live.follow(key.split(","), { signal }))
        setLive(({ numbers }) => ({
          numbers: new Map([...numbers, ...data.map((one) => [one.number_id, one] as const)]),
          asOf: as_of,
          line: "open",
        }));
    };
    const keepFollowing = async (): Promise<void> => {
      while (!signal.aborted) {
        const error: unknown = await follow().catch((reason: unknown) => reason);
        if (signal.aborted) return;
        setLive((before) => ({ ...before, line: "broken" }));
        if (error instanceof AuthenticationError)
          await withSession(() => client.live.read(key.split(","), { signal })).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    void keepFollowing();
    return () => stop.abort();
  }, [client, key, isPaused]);
  return live;
}
