import { useRouter } from "@tanstack/react-router";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Main } from "./Main.tsx";
import { useTitle } from "./use-title.ts";
import { shellText } from "./shell-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** Error page with a retry. */
export function FailurePage({ error }: { error: unknown }) {
  useTitle(shellText.failed);
  const router = useRouter();
  return (
    <Main className="mx-auto grid max-w-md gap-4 px-4 py-24">
      <h1 className="text-lg font-semibold">{shellText.failedTitle}</h1>
      <FailureNotice
        error={error}
        action={
          <Button onClick={() => void router.invalidate()} look="primary">
            {sharedText.retry}
          </Button>
        }
      />
    </Main>
  );
}
