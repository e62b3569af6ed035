import { operation } from "../../app.ts";
import { FeedMessage, FeedPosition } from "./feed.schema.ts";

const openStreamOperation = operation({
  id: "openStream",
  method: "POST",
  path: "/switch/v1/streams",
  tag: "Switch feed",
  summary: "Follow what the switch should hold",
  description:
    "One JSON message a line, without end: hello and the state that the operator decided, then for each shard that is behind a snapshot or the changes since the position, then ready, and from there on changes as they happen, another state within a second, and a ping every 5 seconds. It ends when the epoch does, or the switch is retired; the agent then opens another. A switch that was retired and is back is told draining until it has read back everything.",
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
