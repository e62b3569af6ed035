import { expect, test } from "vitest";
import { readStep, stepsText } from "./routing-step.ts";

const idOf = async (name: string): Promise<string> => `id of ${name}`;

test.each([
  ["sip:desk@pbx.example.com", { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" }],
  [
    "sip:desk@pbx.example.com;transport=tcp on busy ring 20",
    { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com;transport=tcp", on: ["busy"], ring_seconds: 20 },
  ],
  [
    "+442079460000 on busy,no_answer",
    { mode: "forward", forward_to: "+442079460000", on: ["busy", "no_answer"] },
  ],
  [
    "https://hooks.example.com/calls on any",
    {
      mode: "webhook",
      webhook_url: "https://hooks.example.com/calls",
      on: ["unreachable", "no_answer", "busy", "refused"],
    },
  ],
  ["Second office ring 15", { mode: "connection", connection_id: "id of Second office", ring_seconds: 15 }],
  ["People on call", { mode: "connection", connection_id: "id of People on call" }],
])("reads “%s”", async (text, step) => {
  expect(await readStep(text, idOf)).toEqual(step);
});

test("shows destinations in order, without an unrouted end", () => {
  const third = { mode: "forward", forward_to: "+442079460000" };
  const second = { mode: "sip_uri", sip_uri: "sip:b@pbx.example.com", fallback: third };
  expect(stepsText({ mode: "sip_uri", sip_uri: "sip:a@pbx.example.com", fallback: second })).toBe(
    "sip:a@pbx.example.com, then sip:b@pbx.example.com, then +442079460000",
  );
  expect(
    stepsText({ mode: "webhook", webhook_url: "https://hooks.example.com", fallback: { mode: "unrouted" } }),
  ).toBe("https://hooks.example.com");
});
