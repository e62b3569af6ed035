import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../../app.ts";
import type { Settings } from "../../../config.ts";
import { startPrivateCluster } from "../../../platform/db/private-cluster.ts";
import {
  seedKey,
  seedMembership,
  seedNumbers,
  seedOrganisation,
  seedPerson,
  seedSession,
  seedSwitch,
} from "../../../seed.ts";
import { migrateDatabase, openApp } from "../../../start.ts";
import { signIn } from "../../../../testing/account.ts";
import { appOf, type AuthenticatorApp } from "../../../../testing/authenticator-app.ts";
import {
  assertPasskey,
  newPasskeyDevice,
  type PasskeyDevice,
  registerPasskey,
} from "../../../../testing/passkey-device.ts";
import { type Sent, send, type SendOptions } from "../../../../testing/send.ts";
import { type ServerProcess, startProcess } from "../../../../testing/server-process.ts";
import { bearer, browser, type Person, type Service, until } from "../../../../testing/service.ts";
import { openSuperuser } from "../../../../testing/superuser.ts";
import { isLong } from "../../../../testing/test-size.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import { receiveWebhooks, type WebhookReceiver } from "../../../../testing/webhook-receiver.ts";

/** PostgreSQL asks its roles for their passwords, as it does in production. */
const HBA = `local all all trust
host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;
/** Between two requests of a caller: the processes of others need some of the machine too. */
const PAUSE_MS = isLong ? 20 : 500;

/** A user with a second factor, who signs in once: a code works for one sign-in. */
interface Signer {
  person: Person;
  authenticator: AuthenticatorApp;
  recoveryCodes: string[];
  passkey: PasskeyDevice;
}

/** Secrets of every kind, made before anything is rotated. */
export interface OldSecrets {
  organisationId: string;
  key: string;
  /** Never used while root keys change. */
  unusedKey: { id: string; secret: string };
  session: string;
  cursor: string;
  switchCredential: string;
  signers: Signer[];
}

/** Two processes on a PostgreSQL that checks passwords, and callers that never pause. */
export class RotationScene implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly #processes: ServerProcess[] = [];
  /** Those that a load balancer would send requests to. */
  readonly #targets: string[] = [];
  readonly failures: string[] = [];
  requests = 0;
  url = "";
  mailDirectory = "";
  webhooks!: WebhookReceiver;
  admin!: Service["database"]["admin"];

  static async open(settings: Settings): Promise<RotationScene> {
    const scene = new RotationScene();
    const folder = mkdtempSync(join(tmpdir(), "dialplane-rotation-"));
    scene.#stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    const hbaFile = join(folder, "pg_hba.conf");
    writeFileSync(hbaFile, HBA, { mode: 0o644 });
    const cluster = scene.#stack.use(
      await startPrivateCluster({ settings: { hba_file: hbaFile, fsync: "off" } }),
    );
    scene.url = cluster.url;
    scene.mailDirectory = folder;
    scene.admin = scene.#stack.use(await openSuperuser(cluster.url)).admin;
    await migrateDatabase(testConfig(cluster.url, settings));
    scene.webhooks = scene.#stack.use(await receiveWebhooks());
    for (let at = 0; at < 2; at++) await scene.#start(at, settings);
    return scene;
  }

  /** One after the other, each without a request under way, as behind a load balancer. */
  async restart(settings: Settings): Promise<void> {
    for (const at of [0, 1]) {
      const { process: child, url } = this.#processes[at]!;
      this.#targets.splice(this.#targets.indexOf(url), 1);
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
      await this.#start(at, settings);
    }
  }

  send(method: string, path: string, options?: SendOptions): Promise<Sent> {
    return send(this.#targets[this.requests++ % this.#targets.length]!, method, path, options);
  }

  /** Requests with a key and a session, reads and writes, until it is disposed of. */
  load({ key, session }: OldSecrets, numberId: string): AsyncDisposable {
    let hasEnded = false;
    const asks: (() => Promise<Sent>)[] = [
      () => this.send("GET", "/v1/numbers?limit=1", { headers: bearer(key) }),
      async () => {
        const { body } = await this.send("GET", "/v1/numbers?limit=1", { headers: bearer(key) });
        return this.send("GET", `/v1/numbers?limit=1&cursor=${body.next_cursor}`, { headers: bearer(key) });
      },
      () => this.send("GET", "/v1/me", { headers: browser(session) }),
      () =>
        this.send("PATCH", `/v1/numbers/${numberId}`, {
          headers: browser(session),
          body: { label: randomBytes(4).toString("hex") },
        }),
    ];
    const done = asks.map(async (ask) => {
      while (!hasEnded) {
        const answer = await ask().catch((error: unknown) => ({ status: 0, text: String(error) }));
        if (answer.status !== 200) this.failures.push(`${answer.status} ${answer.text}`);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    });
    return {
      [Symbol.asyncDispose]: async () => {
        hasEnded = true;
        await Promise.all(done);
      },
    };
  }

  /** Log of the running processes. */
  output(): string {
    return this.#processes.map((one) => one.output()).join("\n");
  }

  /** As a service that a test started itself, for helpers that take one. */
  asService(app: App): Service {
    const clock = { now: () => new Date(), advance() {} };
    const database = { admin: this.admin };
    return { app, clock, database, send: this.send.bind(this) } as unknown as Service;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #start(at: number, settings: Settings): Promise<void> {
    const started = await startProcess({
      databaseUrl: this.url,
      role: "all",
      settings: {
        BASE_URL: "http://127.0.0.1:8080",
        MAIL_DIRECTORY: this.mailDirectory,
        EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http",
        LIMIT_SIGN_INS_PER_MINUTE: "100000",
        // So that connections come and go, and each one needs a password.
        DATABASE_CONNECTIONS: "6",
        ...settings,
      },
    });
    this.#stack.use(started);
    this.#processes[at] = started;
    this.#targets.push(started.url);
  }
}

export async function makeSecrets(
  scene: RotationScene,
  settings: Settings,
  signers: number,
): Promise<OldSecrets & { numberId: string }> {
  const app = await openApp(testConfig(scene.url, settings));
  try {
    const organisationId = await seedOrganisation(app, "Example Ltd");
    const owner = await newPerson(app, organisationId, "owner");
    const wanted = {
      organisationIds: [organisationId],
      environment: "live" as const,
      scopes: ["full" as const],
    };
    const { secret: key } = await seedKey(app, owner, { ...wanted, name: "Used" });
    const unusedKey = await seedKey(app, owner, { ...wanted, name: "Unused" });
    const [number] = await seedNumbers(app, organisationId, "live", 3);
    const page = await scene.send("GET", "/v1/numbers?limit=1", { headers: bearer(key) });
    const endpoint = await scene.send("POST", "/v1/webhook-endpoints", {
      headers: { ...bearer(owner.token), "idempotency-key": "endpoint" },
      body: { url: scene.webhooks.url },
    });
    if (endpoint.status !== 201) throw new Error(`No endpoint: ${endpoint.text}`);
    scene.webhooks.secret = endpoint.body.secret;
    const people: Signer[] = [];
    for (let at = 0; at < signers; at++)
      people.push(await newSigner(scene, app, await newPerson(app, organisationId, `signer-${at}`)));
    return {
      organisationId,
      key,
      unusedKey,
      session: owner.cookie,
      cursor: page.body.next_cursor,
      switchCredential: (await seedSwitch(app, "edge-1")).credential,
      signers: people,
      numberId: number!.id,
    };
  } finally {
    await app.close();
  }
}

/** Result of each old secret, in words. Undefined if all work. A cursor lives as long as its root key. */
export async function tryAll(
  scene: RotationScene,
  old: OldSecrets & { numberId: string },
  cursorStatus = 200,
): Promise<string[]> {
  const faults: string[] = [];
  const expectStatus = (what: string, wanted: number, { status, text }: Sent): void => {
    if (status !== wanted) faults.push(`${what}: ${status} ${text}`);
  };
  const { person, authenticator, recoveryCodes, passkey } = old.signers.shift()!;
  const app = { config: { baseUrl: "http://127.0.0.1:8080" } } as App;
  const service = scene.asService(app);
  const code = async (given: string): Promise<Sent> => {
    const { body } = await signIn(service, person.email);
    return scene.send("POST", "/v1/sessions/code", { body: { challenge: body.challenge, code: given } });
  };
  const received = scene.webhooks.received.length;
  for (const at of ["first", "second"]) {
    expectStatus(`key, ${at}`, 200, await scene.send("GET", "/v1/numbers", { headers: bearer(old.key) }));
    expectStatus(`session, ${at}`, 200, await scene.send("GET", "/v1/me", { headers: browser(old.session) }));
    const hello = { headers: bearer(old.switchCredential), body: { reports: [] } };
    const { status, text } = await scene.send("POST", "/switch/v1/reports", hello);
    if (status === 401 || status === 403) faults.push(`switch credential, ${at}: ${status} ${text}`);
    const next = `/v1/numbers?limit=1&cursor=${old.cursor}`;
    expectStatus(`cursor, ${at}`, cursorStatus, await scene.send("GET", next, { headers: bearer(old.key) }));
  }
  expectStatus("app's code", 201, await code(authenticator.code()));
  expectStatus("recovery code", 201, await code(recoveryCodes[0]!));
  const credential = await assertPasskey(service, passkey);
  expectStatus("passkey", 201, await scene.send("POST", "/v1/sessions/passkey", { body: { credential } }));
  const changed = { headers: browser(old.session), body: { label: randomBytes(4).toString("hex") } };
  expectStatus("change", 200, await scene.send("PATCH", `/v1/numbers/${old.numberId}`, changed));
  await until(() => scene.webhooks.received.length > received || undefined).catch(() =>
    faults.push("webhook: nothing came"),
  );
  if (scene.webhooks.forged > 0) faults.push(`webhook: ${scene.webhooks.forged} signed with another secret`);
  return faults;
}

async function newPerson(app: App, organisationId: string, name: string): Promise<Person> {
  const person = await seedPerson(app, { name, email: `${name}@example.com` });
  await seedMembership(app, organisationId, person.userId, "owner");
  const [token, cookie] = [await seedSession(app, person, "tool"), await seedSession(app, person, "browser")];
  return { ...person, token, cookie };
}

async function newSigner(scene: RotationScene, app: App, person: Person): Promise<Signer> {
  const service = scene.asService(app);
  const as = (path: string, body?: object): Promise<Sent> =>
    scene.send("POST", path, { headers: browser(person.cookie), ...(body && { body }) });
  const passkey = newPasskeyDevice(service);
  await registerPasskey(service, person.cookie, passkey);
  const { body } = await as("/v1/me/authenticator");
  const authenticator = appOf(body.otpauth_uri, () => new Date());
  const done = await as("/v1/me/authenticator/confirm", { code: authenticator.code(-1) });
  return { person, authenticator, recoveryCodes: done.body.recovery_codes, passkey };
}
