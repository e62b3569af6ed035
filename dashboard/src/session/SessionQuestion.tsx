import type { Me } from "@dialplane/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { ConfirmForm } from "./ConfirmForm.tsx";
import { meQuery, type Question } from "./session.ts";
import { SignInForm } from "./SignInForm.tsx";
import { LINK_CLASS } from "./SignInLayout.tsx";
import { sessionText } from "./session-text.ts";

/** Form of the prompt. */
export function SessionQuestion({ asked }: { asked: Question }) {
  const queries = useQueryClient();
  const email = queries.getQueryData<Me>(meQuery.queryKey)?.caller.email;
  if (asked.about === "identity") return <ConfirmForm onConfirmed={() => asked.answered(true)} />;
  return (
    <div className="grid gap-4">
      <SignInForm email={email} onSignedIn={() => asked.answered(true)} />
      <a href="/sign-in" className={`${LINK_CLASS} text-center text-sm`}>
        {sessionText.otherUser}
      </a>
    </div>
  );
}
