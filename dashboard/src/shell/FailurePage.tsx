import { useRouter } from "@tanstack/react-router";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Main } from "./Main.tsx";
import { useTitle } from "./use-title.ts";

/** A page that could not be shown, and the way back to it. */
export function FailurePage({ error }: { error: unknown }) {
  useTitle("Something went wrong");
  const router = useRouter();
  return (
    <Main className="mx-auto grid max-w-md gap-4 px-4 py-24">
      <h1 className="text-lg font-semibold">This page could not be shown</h1>
      <FailureNotice
        error={error}
        action={
          <Button onClick={() => void router.invalidate()} look="primary">
            Try again
          </Button>
        }
      />
    </Main>
  );
}
