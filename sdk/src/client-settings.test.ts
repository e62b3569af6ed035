import { afterEach, expect, test, vi } from "vitest";
import { completeSettings } from "./client-settings.ts";

afterEach(() => vi.unstubAllEnvs());

test("reads address and key from the environment", () => {
  vi.stubEnv("DIALPLANE_URL", "https://numbers.example.com");
  vi.stubEnv("DIALPLANE_API_KEY", "svc_live_1");
  expect(completeSettings({})).toEqual({ baseUrl: "https://numbers.example.com", credential: "svc_live_1" });
  expect(completeSettings({ credential: "svc_live_2" })).toMatchObject({ credential: "svc_live_2" });
});

test("sends the key of the environment to no other address", () => {
  vi.stubEnv("DIALPLANE_URL", "https://numbers.example.com");
  vi.stubEnv("DIALPLANE_API_KEY", "svc_live_1");
  expect(completeSettings({ baseUrl: "https://other.example.com" })).toEqual({
    baseUrl: "https://other.example.com",
  });
});

test.each([
  [undefined, "Pass baseUrl or set DIALPLANE_URL"],
  ["numbers.example.com", 'baseUrl is "numbers.example.com". Use an http or https address'],
  ["ftp://numbers.example.com", "Use an http or https address"],
  ["https://user:secret@numbers.example.com", "Remove it and pass the credential"],
  ["https://numbers.example.com/?a=1", "Remove it and pass the credential"],
])("rejects %j: %s", (baseUrl, message) => {
  vi.stubEnv("DIALPLANE_URL", undefined);
  expect(() => completeSettings(baseUrl === undefined ? {} : { baseUrl })).toThrow(message);
});
