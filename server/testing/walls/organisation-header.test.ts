import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../src/operations.ts";
import { newId } from "../../src/platform/ids.ts";
import { send, type SendOptions, type Sent } from "../send.ts";
import { bearer, browser, type Person, type Service } from "../service.ts";
import { withoutNames } from "./foreign-ids.ts";
import { type Neighbours, openNeighbours } from "./neighbours.ts";
import { serveProbes } from "./probe-operations.ts";

let neighbours: Neighbours;
let service: Service;
let probes: Awaited<ReturnType<typeof serveProbes>>;
let [home, other] = ["", ""];
let both: Person;

beforeAll(async () => {
  neighbours = await openNeighbours();
  service = neighbours.service;
  probes = await serveProbes(service);
  home = neighbours.home.organisationId;
  other = neighbours.other.organisationId;
  both = await service.person({ [home]: "owner", [other]: "member" });
});
afterAll(async () => {
  await probes[Symbol.asyncDispose]();
  await neighbours[Symbol.asyncDispose]();
});

type Headers = NonNullable<SendOptions["headers"]>;

/** Returns the organisation and environment in which it would have acted. */
function probe(credential: Headers, headers: Headers = {}): Promise<Sent> {
  return send(probes.url, "GET", "/v1/probes/probeReading", { headers: { ...credential, ...headers } });
}

describe("AZ-08 X-Service-Org", () => {
  test("requires the header from a user of several organisations, and lists them", async () => {
    const answer = await probe(bearer(both.token));

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: "organisation_required",
      errors: [{ header: "X-Service-Org", code: "required" }],
      organisations: [
        { id: home, name: "Home Ltd" },
        { id: other, name: "Other Ltd" },
      ],
    });
  });

  test("requires the header from a key of several organisations, and lists them", async () => {
    const maker = await service.person({ [home]: "owner", [other]: "owner" });
    const key = await service.key(maker, [home, other], ["numbers"]);

    const [without, within] = [
      await probe(bearer(key.secret)),
      await probe(bearer(key.secret), { "x-service-org": other }),
    ];

    expect(without.body).toMatchObject({
      code: "organisation_required",
      organisations: [{ id: home }, { id: other }],
    });
    expect(within.body).toEqual({ organisation_id: other, environment: "live" });
  });

  test.each(OPERATIONS.filter(({ access }) => access.callers === "organisation"))(
    "$id asks a person of several organisations which one",
    async ({ method, path }) => {
      const answer = await service.send(method, path.replaceAll(/\{\w+\}/g, newId()), {
        headers: browser(both.cookie),
      });

      expect([answer.status, answer.body.code]).toEqual([400, "organisation_required"]);
    },
  );

  test("is optional for callers with one organisation, and accepts any spelling of its ID", async () => {
    const key = await service.key(neighbours.home.owner, home, ["numbers"]);
    for (const credential of [
      bearer(neighbours.home.owner.token),
      browser(neighbours.home.owner.cookie),
      bearer(key.secret),
    ]) {
      for (const headers of [{}, { "x-service-org": home }, { "x-service-org": home.toUpperCase() }]) {
        expect((await probe(credential, headers)).body).toEqual({
          organisation_id: home,
          environment: "live",
        });
      }
    }
  });

  test("selects the organisation, with the caller's role in it", async () => {
    for (const organisation of [home, other]) {
      expect((await probe(bearer(both.token), { "x-service-org": organisation })).body.organisation_id).toBe(
        organisation,
      );
    }
    const statusIn = async (organisation: string) =>
      (
        await service.send("GET", "/v1/members", {
          headers: { ...bearer(both.token), "x-service-org": organisation },
        })
      ).status;

    expect([await statusIn(home), await statusIn(other)]).toEqual([200, 403]);
  });

  test("rejects a foreign and an unknown organisation equally, for users and keys", async () => {
    const single = neighbours.home.owner;
    const key = await service.key(single, home, ["numbers"]);
    const stranger = await service.organisation("Third Ltd");
    for (const credential of [
      bearer(single.token),
      browser(single.cookie),
      bearer(both.token),
      bearer(key.secret),
    ]) {
      const [foreign, unknown] = [
        await probe(credential, { "x-service-org": stranger }),
        await probe(credential, { "x-service-org": newId() }),
      ];
      expect([foreign.status, foreign.body.code]).toEqual([403, "organisation_not_allowed"]);
      expect(foreign.text).not.toContain("Third");
      expect(withoutNames(foreign)).toBe(withoutNames(unknown));
    }
  });

  test.each([
    "",
    "home",
    "*",
    "null",
    "0",
    "0198c5f27c1e7a339d3f3f6a1c0f9b11",
    "{0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11}",
    "' or true --",
  ])("rejects a malformed one: %s", async (value) => {
    const answer = await probe(bearer(both.token), { "x-service-org": value });

    expect([answer.status, answer.body.code]).toEqual([400, "organisation_header_invalid"]);
    expect(answer.body.errors).toMatchObject([{ header: "X-Service-Org", code: "malformed" }]);
  });

  test("rejects the header if sent twice, in any combination", async () => {
    for (const value of [[home, home], [home, other], `${home},${home}`, `${home}, ${other}`]) {
      const answer = await probe(bearer(both.token), { "x-service-org": value });
      expect([answer.status, answer.body.code]).toEqual([400, "organisation_header_invalid"]);
    }
  });

  test("rejects a user without an organisation, with and without it", async () => {
    const nobody = await service.person();
    for (const headers of [{}, { "x-service-org": home }]) {
      const answer = await probe(bearer(nobody.token), headers);
      expect([answer.status, answer.body.code]).toEqual([403, "organisation_not_allowed"]);
    }
  });

  test("it has no effect where a request is about the caller alone", async () => {
    for (const path of ["/v1/me", "/v1/sessions"]) {
      for (const value of [newId(), "malformed", [home, home]]) {
        expect(
          (await service.send("GET", path, { headers: { ...bearer(both.token), "x-service-org": value } }))
            .status,
        ).toBe(200);
      }
    }
  });
});

describe("X-Service-Environment", () => {
  test("works in live unless a session selects test", async () => {
    const credential = bearer(neighbours.home.owner.token);
    const sideWith = async (headers: Headers) => (await probe(credential, headers)).body.environment;

    expect(await sideWith({})).toBe("live");
    expect(await sideWith({ "x-service-environment": "live" })).toBe("live");
    expect(await sideWith({ "x-service-environment": "test" })).toBe("test");
  });

  test.each(["live", "test"] as const)(
    "a %s key stays on its side; the header must agree with it",
    async (environment) => {
      const opposite = environment === "live" ? "test" : "live";
      const credential = bearer(
        (await service.key(neighbours.home.owner, home, ["numbers"], environment)).secret,
      );

      for (const headers of [{}, { "x-service-environment": environment }]) {
        expect((await probe(credential, headers)).body).toEqual({ organisation_id: home, environment });
      }
      for (const path of ["/v1/probes/probeReading", "/v1/probes/probeOwnNoSessions"]) {
        const refused = await send(probes.url, "GET", path, {
          headers: { ...credential, "x-service-environment": opposite },
        });
        expect([refused.status, refused.body.code]).toEqual([403, "environment_not_allowed"]);
      }
    },
  );

  test("rejects other and repeated values for all callers", async () => {
    const key = await service.key(neighbours.home.owner, home, ["numbers"]);
    for (const credential of [bearer(neighbours.home.owner.token), bearer(key.secret)]) {
      for (const value of ["", "TEST", "production", "live,live", ["live", "live"], ["live", "test"]]) {
        const answer = await probe(credential, { "x-service-environment": value });
        expect([answer.status, answer.body.code]).toEqual([400, "environment_header_invalid"]);
        expect(answer.body.errors).toMatchObject([{ header: "X-Service-Environment" }]);
      }
    }
  });

  test("what is on one side is not listed on the other", async () => {
    const { owner } = neighbours.home;
    const listed = async (environment: string) => {
      const { body } = await service.send("GET", "/v1/api-keys", {
        headers: { ...bearer(owner.token), "x-service-environment": environment },
      });
      return new Set(body.data.map((key: { environment: string }) => key.environment));
    };

    expect([await listed("live"), await listed("test")]).toEqual([new Set(["live"]), new Set(["test"])]);
  });
});
