import {
  AuthenticationError,
  type Client,
  createClient,
  InvalidRequestError,
  NotConnectedError,
  NotFoundError,
  PermissionError,
  ServerError,
  type Settings,
  TimeoutError,
  verifyWebhook,
  WebhookVerificationError,
} from "../index.ts";
import { assertEqual, assertThat, failureOf } from "./assertions.ts";
import type { Scene } from "./scene.ts";

/** Signed by the library of Standard Webhooks. */
const DELIVERY = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  headers: {
    "Webhook-Id": "01a1de5d-9e8f-7c11-8a55-2f6a1d1a9c02",
    "webhook-timestamp": "1794732033",
    "webhook-signature": "v1,bm90aGluZw== v1,tYjd//mawDb184jnI7H3dcRRKALPioW/EA4FxzK124w=",
  },
  body: '{"id":"01a1de5d-9e8f-7c11-8a55-2f6a1d1a9c02","type":"order.completed"}',
};

export const ERROR_GUARANTEES: Record<string, (scene: Scene) => Promise<void>> = {
  "refusals are classes with a code and the request's id": async (scene) => {
    const { numbers } = asOwner(scene);
    const missing = await failureOf(numbers.get("00000000-0000-7000-8000-000000000000"));
    assertThat(missing instanceof NotFoundError, "a NotFoundError");
    assertEqual([missing.status, missing.code, missing.name], [404, "number_not_found", "NotFoundError"]);
    assertEqual(missing.requestId, missing.headers.get("request-id"));
    const invalid = await failureOf(numbers.list({ limit: 0 }));
    assertThat(invalid instanceof InvalidRequestError, "an InvalidRequestError");
    assertEqual(
      invalid.errors.map(({ parameter }) => parameter),
      ["limit"],
    );
    const stranger = await failureOf(asOwner(scene, { credential: "svc_live_nobody" }).me.get());
    assertThat(stranger instanceof AuthenticationError, "an AuthenticationError");
    const member = asOwner(scene, { credential: scene.memberToken });
    const forbidden = await failureOf(member.routing.get(scene.numberIds[0]!));
    assertThat(
      forbidden instanceof PermissionError && forbidden.code === "role_not_allowed",
      "a PermissionError",
    );
  },
  "what is not connected is not tried again": async (scene) => {
    const failure = await failureOf(asOwner(scene).reservations.create({ numbers: ["+12125550150"] }));
    assertThat(failure instanceof NotConnectedError, "a NotConnectedError");
    assertEqual([failure.code, failure.call.attempts], ["carrier_inventory_not_connected", 1]);
  },
  "Retry-After is obeyed, and a failure that passes is not seen": async (scene) => {
    const busy = () => new Response("busy", { status: 503, headers: { "retry-after": "1" } });
    const started = performance.now();
    const { attempts } = await asOwner(scene, { fetch: answeringFirst([busy()]) })
      .me.get()
      .withResponse();
    assertEqual(attempts, 2);
    assertThat(performance.now() - started >= 995, "a second's pause");
  },
  "a failure that does not pass is thrown after the tries that were allowed": async (scene) => {
    const broken = () => new Response("broken", { status: 502 });
    const failing = asOwner(scene, { fetch: answeringFirst([broken(), broken(), broken()]), maxRetries: 2 });
    const failure = await failureOf(failing.me.get());
    assertThat(failure instanceof ServerError && failure.code === "unknown", "a ServerError");
    assertEqual(failure.call.attempts, 3);
    const patience = asOwner(scene, {
      fetch: answeringFirst([new Response("", { status: 503, headers: { "retry-after": "3600" } })]),
    });
    assertThat((await failureOf(patience.me.get())) instanceof ServerError, "no hour's wait");
  },
  "an abort ends a call at once, with the caller's reason": async (scene) => {
    const reason = new Error("Changed my mind.");
    const during = new AbortController();
    const hanging = asOwner(scene, { fetch: untilAborted }).me.get({ signal: during.signal });
    during.abort(reason);
    assertThat((await failureOf(hanging)) === reason, "during a try");
    const between = new AbortController();
    const pausing = asOwner(scene, {
      fetch: answeringFirst([new Response("", { status: 503, headers: { "retry-after": "60" } })]),
      onAttempt: () => setTimeout(() => between.abort(reason)),
    }).me.get({ signal: between.signal });
    assertThat((await failureOf(pausing)) === reason, "between two tries");
  },
  "who does not answer in time is asked again, and then given up": async (scene) => {
    const attempts: (number | undefined)[] = [];
    const silent = asOwner(scene, {
      fetch: untilAborted,
      attemptTimeoutMs: 20,
      maxRetries: 1,
      onAttempt: ({ retryInMs }) => attempts.push(retryInMs),
    });
    const failure = await failureOf(
      silent.connections.create({ name: "n", targets: [{ host: "h.example.com" }] }),
    );
    assertThat(failure instanceof TimeoutError, "a TimeoutError");
    assertEqual(failure.call.attempts, 2);
    assertThat(/^[0-9a-f]{32}$/.test(failure.call.idempotencyKey ?? ""), "a key to go on with");
    assertThat(
      attempts.length === 2 && attempts[0]! >= 125 && attempts[1] === undefined,
      "each try is told of",
    );
  },
  "a delivery is taken only if it is whole, fresh and signed with the secret": async () => {
    const lasting = { ...DELIVERY, toleranceSeconds: Infinity };
    assertEqual((await verifyWebhook(lasting)).type, "order.completed");
    const bytes = new TextEncoder().encode(DELIVERY.body);
    await verifyWebhook({ ...lasting, headers: new Headers(DELIVERY.headers), body: bytes });
    const wrong = [
      DELIVERY,
      { ...lasting, body: DELIVERY.body.replace("completed", "failed") },
      { ...lasting, headers: { ...DELIVERY.headers, "Webhook-Id": "another" } },
      { ...lasting, headers: {} },
      { ...lasting, secret: "whsec_bm90IHRoaXMgb25l" },
      { ...lasting, secret: "whsec_%" },
    ];
    for (const delivery of wrong)
      assertThat((await failureOf(verifyWebhook(delivery))) instanceof WebhookVerificationError, "refused");
  },
};

function asOwner({ baseUrl, ownerToken }: Scene, more: Partial<Settings> = {}): Client {
  return createClient({ baseUrl, credential: ownerToken, ...more });
}

/** Simulates a proxy that sends the first responses itself. */
function answeringFirst(answers: Response[]): typeof fetch {
  return async (...request) => answers.shift() ?? fetch(...request);
}

const untilAborted: typeof fetch = (_, init) =>
  new Promise((__, reject) => {
    init!.signal!.addEventListener("abort", () => reject(init!.signal!.reason as Error));
  });
