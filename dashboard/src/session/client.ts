import { type Client, createClient, type Settings } from "@dialplane/sdk";
import { createOperatorClient } from "@dialplane/sdk/operator";
import { createStore } from "../store.ts";

/** Whether the service responds. If not, calls are being retried. */
export const reach = createStore<"answers" | "silent">("answers");

const settings: Settings = {
  baseUrl: location.origin,
  onAttempt: ({ status, retryInMs }) => {
    if (status !== undefined && status < 500) reach.set("answers");
    else if (retryInMs !== undefined) reach.set("silent");
  },
};

/** The one way to the service. The session is a cookie, which no script sees. */
export const client: Client = createClient(settings);

/** The same way, for those who run the installation. */
export const operator = createOperatorClient(settings);
