import type { SignInPolicy } from "@dialplane/sdk";
import { command } from "./cli-command.ts";
import type { Context } from "./cli-context.ts";
import { usageFailure } from "./cli-failure.ts";

const SWITCH = ["on", "off"] as const;

export const SIGN_IN_POLICY_COMMANDS = [
  command({
    name: "sign-in-policy show",
    summary: "Show the sign-in policy",
    async run({ context }) {
      await show(context, await (await context.client()).signInPolicy.get());
    },
  }),
  command({
    name: "sign-in-policy set",
    summary: "Change the sign-in policy",
    options: {
      "second-factor": {
        type: "string",
        value: SWITCH,
        summary: "require an authenticator app or a passkey",
      },
      "single-sign-on": { type: "string", value: SWITCH, summary: "require an identity provider" },
      "max-session-age": {
        type: "string",
        value: "hours",
        summary: "maximum session age, 1 to 720 hours, or none",
      },
    },
    details:
      "Only owners can change the policy, within ten minutes after dialplane login. You cannot turn on a rule that your own session does not meet. Sessions that do not meet the policy are rejected within a second. API keys are not affected.",
    examples: ["dialplane sign-in-policy set --second-factor on --max-session-age 12"],
    async run({ context, options }) {
      const client = await context.client();
      const change = {
        ...named("require_second_factor", isOn("second-factor", options["second-factor"])),
        ...named("require_single_sign_on", isOn("single-sign-on", options["single-sign-on"])),
        ...named("max_session_age_hours", hoursOf(options["max-session-age"])),
      };
      if (Object.keys(change).length === 0)
        throw usageFailure("Specify a change: --second-factor, --single-sign-on or --max-session-age.");
      await context.confirm("Sessions that do not meet the policy will be rejected. Change it?", "policy");
      await show(context, await client.signInPolicy.change(change));
    },
  }),
];

function named<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}

function isOn(option: string, text: string | undefined): boolean | undefined {
  if (text !== undefined && text !== "on" && text !== "off")
    throw usageFailure(`--${option} must be on or off, not “${text}”.`);
  return text === undefined ? undefined : text === "on";
}

function hoursOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "none") return null;
  if (!/^\d{1,3}$/.test(text))
    throw usageFailure(`--max-session-age must be 1 to 720 hours or none, not “${text}”.`);
  return Number(text);
}

async function show(context: Context, policy: SignInPolicy): Promise<void> {
  const { max_session_age_hours: hours } = policy;
  await context.output.record(policy, [
    ["Second factor", policy.require_second_factor ? "required" : "optional"],
    ["Single sign-on", policy.require_single_sign_on ? "required" : "optional"],
    ["Max session age", hours === null ? "30 days" : `${hours} h`],
  ]);
}
