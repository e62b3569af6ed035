import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, redirect } from "@tanstack/react-router";
import { changeEmail, invitation, providerReturn, resetPassword, root, signIn } from "./entry-routes.ts";
import { BlankPage } from "./shell/BlankPage.tsx";
import { FailurePage } from "./shell/FailurePage.tsx";
import { MissingPage } from "./shell/MissingPage.tsx";
import { readAuditSearch } from "./audit/audit-search.ts";
import { readCallsSearch } from "./calls/calls-search.ts";
import { askForNumbers } from "./numbers/numbers-query.ts";
import { readNumbersSearch } from "./numbers/numbers-search.ts";
import { readTrunksSearch } from "./operator/trunks-query.ts";
import { readOperatorCallsSearch } from "./operator/operator-calls-search.ts";
import { readOrderSearch } from "./orders/order-search.ts";
import { authorise, device, home, organisation, secondFactor, security, signedIn } from "./session-routes.ts";
import { evidence, identityProviders, signInPolicy } from "./settings-routes.ts";
import { PLAIN_SEARCH } from "./shell/plain-search.ts";
import { page } from "./shell/lazy-page.ts";

/** Operator pages. The service checks the role and requires reauthentication. */
const operator = createRoute({
  getParentRoute: () => signedIn,
  path: "/operator",
  component: page(() => import("./operator/OperatorShell.tsx"), "OperatorShell"),
});
const operatorHome = createRoute({
  getParentRoute: () => operator,
  path: "/",
  component: page(() => import("./operator/OperatorHomePage.tsx"), "OperatorHomePage"),
});
const operatorOrganisations = createRoute({
  getParentRoute: () => operator,
  path: "/organisations",
  component: page(() => import("./operator/OrganisationsPage.tsx"), "OrganisationsPage"),
});
const operatorOrganisation = createRoute({
  getParentRoute: () => operator,
  path: "/organisations/$organisation",
  component: page(() => import("./operator/OrganisationPage.tsx"), "OrganisationPage"),
});
const operatorUsers = createRoute({
  getParentRoute: () => operator,
  path: "/users",
  component: page(() => import("./operator/UsersPage.tsx"), "UsersPage"),
});
const operatorSwitches = createRoute({
  getParentRoute: () => operator,
  path: "/switches",
  component: page(() => import("./operator/SwitchesPage.tsx"), "SwitchesPage"),
});
const operatorSwitch = createRoute({
  getParentRoute: () => operator,
  path: "/switches/$switch",
  component: page(() => import("./operator/SwitchPage.tsx"), "SwitchPage"),
});
const operatorTrunks = createRoute({
  getParentRoute: () => operator,
  path: "/trunks",
  validateSearch: readTrunksSearch,
  component: page(() => import("./operator/TrunksPage.tsx"), "TrunksPage"),
});
const operatorCalls = createRoute({
  getParentRoute: () => operator,
  path: "/calls",
  validateSearch: readOperatorCallsSearch,
  component: page(() => import("./operator/OperatorCallsPage.tsx"), "OperatorCallsPage"),
});
const operatorCall = createRoute({
  getParentRoute: () => operator,
  path: "/calls/$call",
  component: page(() => import("./operator/OperatorCallPage.tsx"), "OperatorCallPage"),
});
const operatorAudit = createRoute({
  getParentRoute: () => operator,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: page(() => import("./operator/OperatorAuditPage.tsx"), "OperatorAuditPage"),
});
const operatorCarriers = createRoute({
  getParentRoute: () => operator,
  path: "/carriers",
  component: page(() => import("./operator/CarriersPage.tsx"), "CarriersPage"),
});
const operatorFindings = createRoute({
  getParentRoute: () => operator,
  path: "/carriers/$reconciliation",
  component: page(() => import("./operator/FindingsPage.tsx"), "FindingsPage"),
});
const operatorPool = createRoute({
  getParentRoute: () => operator,
  path: "/pool",
  component: page(() => import("./operator/PoolPage.tsx"), "PoolPage"),
});
const numbers = createRoute({
  getParentRoute: () => organisation,
  path: "/numbers",
  validateSearch: readNumbersSearch,
  loaderDeps: ({ search }) => search,
  loader({ context: { queries }, params, deps, cause }) {
    if (cause !== "stay") askForNumbers(queries, params, deps);
  },
  component: page(() => import("./numbers/NumbersPage.tsx"), "NumbersPage"),
});
const imports = createRoute({
  getParentRoute: () => organisation,
  path: "/import",
  component: page(() => import("./imports/ImportPage.tsx"), "ImportPage"),
});
const number = createRoute({
  getParentRoute: () => organisation,
  path: "/numbers/$number",
  component: page(() => import("./numbers/NumberPage.tsx"), "NumberPage"),
});
const bulkChange = createRoute({
  getParentRoute: () => organisation,
  path: "/bulk-changes/$change",
  component: page(() => import("./bulk-changes/BulkChangePage.tsx"), "BulkChangePage"),
});
const jobs = createRoute({
  getParentRoute: () => organisation,
  path: "/jobs",
  validateSearch: ({ show }: Record<string, unknown>) => (show === "bulk" ? { show: "bulk" as const } : {}),
  component: page(() => import("./jobs/JobsPage.tsx"), "JobsPage"),
});
const job = createRoute({
  getParentRoute: () => organisation,
  path: "/jobs/$job",
  component: page(() => import("./jobs/JobPage.tsx"), "JobPage"),
});
const order = createRoute({
  getParentRoute: () => organisation,
  path: "/order",
  validateSearch: readOrderSearch,
  component: page(() => import("./orders/OrderPage.tsx"), "OrderPage"),
});
const usage = createRoute({
  getParentRoute: () => organisation,
  path: "/usage",
  component: page(() => import("./usage/UsagePage.tsx"), "UsagePage"),
});
const overview = createRoute({
  getParentRoute: () => organisation,
  path: "/overview",
  component: page(() => import("./overview/OverviewPage.tsx"), "OverviewPage"),
});
const calls = createRoute({
  getParentRoute: () => organisation,
  path: "/calls",
  validateSearch: readCallsSearch,
  component: page(() => import("./calls/CallsPage.tsx"), "CallsPage"),
});
const activeCalls = createRoute({
  getParentRoute: () => organisation,
  path: "/calls/active",
  validateSearch: ({ q }: Record<string, unknown>) => (typeof q === "string" && q ? { q } : {}),
  component: page(() => import("./calls/ActiveCallsPage.tsx"), "ActiveCallsPage"),
});
/** Former address of the calls in progress. */
const live = createRoute({
  getParentRoute: () => organisation,
  path: "/live",
  beforeLoad: ({ params }) =>
    redirect({ to: "/o/$organisation/$environment/calls/active", params, replace: true, throw: true }),
});
const call = createRoute({
  getParentRoute: () => organisation,
  path: "/calls/$call",
  component: page(() => import("./calls/CallPage.tsx"), "CallPage"),
});
const settings = createRoute({
  getParentRoute: () => organisation,
  path: "/settings",
  component: page(() => import("./settings/SettingsPage.tsx"), "SettingsPage"),
});
const connections = createRoute({
  getParentRoute: () => organisation,
  path: "/connections",
  component: page(() => import("./connections/ConnectionsPage.tsx"), "ConnectionsPage"),
});
const events = createRoute({
  getParentRoute: () => organisation,
  path: "/events",
  component: page(() => import("./events/EventsPage.tsx"), "EventsPage"),
});
const webhooks = createRoute({
  getParentRoute: () => organisation,
  path: "/webhooks",
  component: page(() => import("./webhooks/WebhooksPage.tsx"), "WebhooksPage"),
});
const endpoint = createRoute({
  getParentRoute: () => organisation,
  path: "/webhooks/$endpoint",
  component: page(() => import("./webhooks/EndpointPage.tsx"), "EndpointPage"),
});
const apiKeys = createRoute({
  getParentRoute: () => organisation,
  path: "/api-keys",
  component: page(() => import("./api-keys/ApiKeysPage.tsx"), "ApiKeysPage"),
});
const members = createRoute({
  getParentRoute: () => organisation,
  path: "/members",
  component: page(() => import("./members/MembersPage.tsx"), "MembersPage"),
});
const audit = createRoute({
  getParentRoute: () => organisation,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: page(() => import("./audit/AuditPage.tsx"), "AuditPage"),
});

const pages = [
  overview,
  numbers,
  imports,
  number,
  bulkChange,
  jobs,
  job,
  order,
  usage,
  calls,
  activeCalls,
  live,
  call,
  connections,
  events,
  webhooks,
  endpoint,
  apiKeys,
  members,
  audit,
  identityProviders,
  signInPolicy,
  evidence,
  settings,
] as const;
const operatorPages = [
  operatorHome,
  operatorOrganisations,
  operatorOrganisation,
  operatorUsers,
  operatorSwitches,
  operatorSwitch,
  operatorTrunks,
  operatorCalls,
  operatorCall,
  operatorAudit,
  operatorCarriers,
  operatorFindings,
  operatorPool,
] as const;
const routes = root.addChildren([
  signIn,
  providerReturn,
  resetPassword,
  invitation,
  changeEmail,
  signedIn.addChildren([
    home,
    authorise,
    device,
    security,
    secondFactor,
    operator.addChildren(operatorPages),
    organisation.addChildren(pages),
  ]),
]);

export function createDashboardRouter(queries: QueryClient) {
  return createRouter({
    routeTree: routes,
    context: { queries },
    defaultPreload: "intent",
    defaultPendingMs: 300,
    defaultPendingComponent: BlankPage,
    defaultErrorComponent: FailurePage,
    defaultNotFoundComponent: MissingPage,
    ...PLAIN_SEARCH,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
