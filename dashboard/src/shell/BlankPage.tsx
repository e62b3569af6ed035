import { reach } from "../session/client.ts";
import { Main } from "./Main.tsx";
import { shellText } from "./shell-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** Shown until the first response. */
export function BlankPage() {
  const isSilent = reach.use() === "silent";
  return (
    <Main className="grid min-h-dvh place-items-center text-sm text-ink-2">
      <p role="status">{isSilent ? shellText.unreachable : sharedText.loading}</p>
    </Main>
  );
}
