import { operation } from "../../app.ts";
import {
  Notifications,
  OperatorNotifications,
  SetNotifications,
  SetOperatorNotifications,
} from "./notifications.schema.ts";
import {
  getNotifications,
  getOperatorNotifications,
  setNotifications,
  setOperatorNotifications,
} from "./notifications.ts";

const PATH = "/v1/notifications";
const OF_MANAGERS = {
  tag: "Notifications",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" },
} as const;

const getNotificationsOperation = operation({
  ...OF_MANAGERS,
  id: "getNotifications",
  method: "GET",
  path: PATH,
  summary: "Get notification rules",
  description: "Returns the rule of each kind of problem in this environment.",
  idempotency: "none",
  answers: { 200: Notifications },
  async run(app, { actor }) {
    return { status: 200, body: await getNotifications(app, actor) };
  },
});

const setNotificationsOperation = operation({
  ...OF_MANAGERS,
  id: "setNotifications",
  method: "PUT",
  path: PATH,
  summary: "Set notification rules",
  description:
    "Replaces all rules of this environment. A problem is notified once when it has lasted for a minute, and once when it has been gone for a minute.",
  idempotency: "optional",
  body: SetNotifications,
  answers: { 200: Notifications },
  async change(tx, { actor, body }, app) {
    return { status: 200, body: await setNotifications(tx, app, actor, body) };
  },
});

const OPERATOR_PATH = "/operator/v1/notifications";
const OF_OPERATOR = { tag: "Notifications", access: { callers: "operator" }, idempotency: "none" } as const;

const getOperatorNotificationsOperation = operation({
  ...OF_OPERATOR,
  id: "getOperatorNotifications",
  method: "GET",
  path: OPERATOR_PATH,
  summary: "Get notification rules",
  description: "Returns the rule of each kind of problem of the installation.",
  answers: { 200: OperatorNotifications },
  async run(app) {
    return { status: 200, body: await getOperatorNotifications(app) };
  },
});

const setOperatorNotificationsOperation = operation({
  ...OF_OPERATOR,
  id: "setOperatorNotifications",
  method: "PUT",
  path: OPERATOR_PATH,
  summary: "Set notification rules",
  description:
    "Replaces all rules. `switch_silent`: a switch has stopped reporting. `backlog`: mail, webhook deliveries or jobs are five minutes late.",
  body: SetOperatorNotifications,
  answers: { 200: OperatorNotifications },
  async run(app, { caller, origin, body }) {
    return { status: 200, body: await setOperatorNotifications(app, { caller, origin }, body) };
  },
});

export const notificationsOperations = [
  getNotificationsOperation,
  setNotificationsOperation,
  getOperatorNotificationsOperation,
  setOperatorNotificationsOperation,
];
