import type { Me } from "../../../sdk/src/index.ts";
import { useQueryClient } from "@tanstack/react-query";
import { Dialog } from "../components/Dialog.tsx";
import { ConfirmForm } from "./ConfirmForm.tsx";
import { meQuery, question } from "./session.ts";
import { SignInForm } from "./SignInForm.tsx";
import { LINK_CLASS } from "./SignInLayout.tsx";

/** Asks who is there over whatever page needs to know; the page and what was typed stay. */
export function SessionDialog() {
  const asked = question.use();
  const queries = useQueryClient();
  const email = queries.getQueryData<Me>(meQuery.queryKey)?.caller.email;
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
      {isIdentity ? (
        <ConfirmForm onConfirmed={() => asked.answered(true)} />
      ) : (
        <div className="grid gap-4">
          <SignInForm email={email} onSignedIn={() => asked?.answered(true)} />
          <a href="/sign-in" className={`${LINK_CLASS} text-center text-sm`}>
            Sign in as somebody else
          </a>
        </div>
      )}
    </Dialog>
  );
}
