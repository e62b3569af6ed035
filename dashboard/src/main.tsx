import { CSPProvider } from "@base-ui/react/csp-provider";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { tellFailed, Toaster } from "./components/Toaster.tsx";
import { createDashboardRouter } from "./router.tsx";
import { isPolicyError, meQuery } from "./session/session.ts";
import { SessionDialog } from "./session/SessionDialog.tsx";
import "./dashboard.css";

/** The policy was changed, or a session became too old, while a page was open: the shell explains it. */
function followPolicy(error: unknown): void {
  if (isPolicyError(error)) void queries.invalidateQueries(meQuery);
}

const queries = new QueryClient({
  // The SDK retries automatically, and knows which calls are safe to retry.
  defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } },
  // A form shows its own failure next to the input. All others appear here.
  queryCache: new QueryCache({ onError: followPolicy }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      followPolicy(error);
      if (!mutation.meta?.["isShownInPlace"]) tellFailed(error);
    },
  }),
});

const router = createDashboardRouter(queries);
// Loads the scripts of the requested page while the user is being fetched.
const [named] = router.getMatchedRoutes(location.pathname);
for (const route of named) void router.loadRouteChunk(route);

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <SessionDialog />
        <Toaster />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
