import { reach } from "../session/client.ts";
import { Main } from "./Main.tsx";

/** Shown until the first response. */
export function BlankPage() {
  const isSilent = reach.use() === "silent";
  return (
    <Main className="grid min-h-dvh place-items-center text-sm text-muted">
      <p role="status">{isSilent ? "The service does not answer. Trying again…" : "Loading…"}</p>
    </Main>
  );
}
