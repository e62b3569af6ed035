import { operation } from "../../app.ts";
import { FeedMessage, FeedPosition } from "./feed.schema.ts";

const openStreamOperation = operation({
  id: "openStream",
  method: "POST",
  path: "/switch/v1/streams",
  tag: "Switch feed",
  summary: "Open the feed",
  description:
    "An endless stream with one JSON message per line. It starts with `hello` and the desired `state` of the switch. A `snapshot` or `changes` follow for each shard that is behind, then `ready`. Later changes and states arrive within a second, and a `ping` every 5 seconds. The stream ends with the epoch, or when the switch is retired. The agent then opens another one. A switch that returns from retirement is `draining` until it has read back everything.",
  access: { callers: "switch" },
  idempotency: "none",
  body: FeedPosition,
  http: { maxBodyBytes: 4 * 1024 * 1024, media: "application/x-ndjson" },
  answers: { 200: FeedMessage },
  errors: ["feed_held"],
  async run(app, call) {
    return { status: 200, stream: await app.feed.open(call.switch, call.body) };
  },
});

export const feedOperations = [openStreamOperation];
