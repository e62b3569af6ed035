import { Button } from "../components/Button.tsx";
import { useSignOut } from "./use-sign-out.ts";
import { sharedText } from "../components/shared-text.ts";

/** For pages without the account menu. */
export function SignOutButton() {
  const signOut = useSignOut();
  return (
    <Button look="quiet" size="small" isPending={signOut.isPending} onClick={() => signOut.mutate()}>
      {sharedText.signOut}
    </Button>
  );
}
