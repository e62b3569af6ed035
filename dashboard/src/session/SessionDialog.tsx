import { lazy, Suspense } from "react";
import { Dialog } from "../components/Dialog.tsx";
import { question } from "./session.ts";

/** Loaded on demand, because most visits need no prompt. */
const SessionQuestion = lazy(() =>
  import("./SessionQuestion.tsx").then(
    (module) => ({ default: module.SessionQuestion }),
    () => ({ default: OutOfReach }),
  ),
);

/** Asks who is there over whatever page needs to know; the page and what was typed stay. */
export function SessionDialog() {
  const asked = question.use();
  const isIdentity = asked?.about === "identity";
  return (
    <Dialog
      isOpen={asked !== undefined}
      onClose={() => asked?.answered(false)}
      title={isIdentity ? "Confirm that it is you" : "Your session has ended"}
      description={
        isIdentity
          ? "Changes like this one ask who is there once more."
          : "Sign in again to go on. What you typed is still there."
      }
    >
      <Suspense fallback={<p role="status">Loading…</p>}>
        {asked && <SessionQuestion asked={asked} />}
      </Suspense>
    </Dialog>
  );
}

/** The service has been renewed since this page was loaded, or does not answer. */
function OutOfReach() {
  return (
    <p role="alert" className="text-sm">
      The form could not be loaded. Sign in in another window, then close this and try again.
    </p>
  );
}
