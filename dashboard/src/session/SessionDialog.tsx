import { lazy, Suspense } from "react";
import { Dialog } from "../components/Dialog.tsx";
import { question } from "./session.ts";
import { sessionText } from "./session-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** Loaded on demand, because most visits need no prompt. */
const SessionQuestion = lazy(() =>
  import("./SessionQuestion.tsx").then(
    (module) => ({ default: module.SessionQuestion }),
    () => ({ default: OutOfReach }),
  ),
);

/** Sign-in prompt over the current page, which keeps its input. */
export function SessionDialog() {
  const asked = question.use();
  const isIdentity = asked?.about === "identity";
  return (
    <Dialog
      isOpen={asked !== undefined}
      onClose={() => asked?.answered(false)}
      title={isIdentity ? sessionText.reauthenticate : sessionText.sessionEnded}
      description={isIdentity ? sessionText.reauthenticateHint : sessionText.sessionEndedHint}
    >
      <Suspense fallback={<p role="status">{sharedText.loading}</p>}>
        {asked && <SessionQuestion asked={asked} />}
      </Suspense>
    </Dialog>
  );
}

/** The service was upgraded since the page was loaded, or is unreachable. */
function OutOfReach() {
  return (
    <p role="alert" className="text-sm">
      {sessionText.formFailed}
    </p>
  );
}
