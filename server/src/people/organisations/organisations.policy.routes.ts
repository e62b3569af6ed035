import { operation } from "../../app.ts";
import { changeSignInPolicy, getSignInPolicy } from "./organisations.policy.ts";
import { ChangeSignInPolicy, SignInPolicy } from "./organisations.schema.ts";

const PATH = "/v1/sign-in-policy";

const getSignInPolicyOperation = operation({
  id: "getSignInPolicy",
  method: "GET",
  path: PATH,
  tag: "Single sign-on",
  summary: "Get the sign-in policy",
  description: "Returns the rules that members' sessions must meet. API keys are not affected.",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" },
  idempotency: "none",
  answers: { 200: SignInPolicy },
  async run(app, { actor }) {
    return { status: 200, body: await getSignInPolicy(app, actor) };
  },
});

const changeSignInPolicyOperation = operation({
  id: "changeSignInPolicy",
  method: "PATCH",
  path: PATH,
  tag: "Single sign-on",
  summary: "Update the sign-in policy",
  description:
    "Absent fields keep their value. Within a second, requests of sessions that do not meet the policy are rejected in this organisation and their event streams end. Other organisations are not affected. You cannot enable a rule that your own session does not meet.",
  access: { callers: "organisation", sessions: { roles: ["owner"], recent: true }, keys: "none" },
  idempotency: "none",
  body: ChangeSignInPolicy,
  answers: { 200: SignInPolicy },
  errors: ["sign_in_policy_not_met"],
  async run(app, { actor, caller, body }) {
    return { status: 200, body: await changeSignInPolicy(app, { ...actor, caller }, body) };
  },
});

export const organisationsPolicyOperations = [getSignInPolicyOperation, changeSignInPolicyOperation];
