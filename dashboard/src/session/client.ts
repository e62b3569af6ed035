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

/** Client of the service. The session is a cookie that scripts cannot read. */
export const client: Client = createClient(settings);

/** Client of the operator API. */
export const operator = createOperatorClient(settings);
