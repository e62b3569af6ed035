import { type Client, createClient } from "../../../sdk/src/index.ts";
import { createStore } from "../store.ts";

/** Whether the service answers at the moment; while it does not, calls are being tried again. */
export const reach = createStore<"answers" | "silent">("answers");

/** The one way to the service. The session is a cookie, which no script sees. */
export const client: Client = createClient({
  baseUrl: location.origin,
  onAttempt: ({ status, retryInMs }) => {
    if (status !== undefined && status < 500) reach.set("answers");
    else if (retryInMs !== undefined) reach.set("silent");
  },
});
