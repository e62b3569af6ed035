import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonClass } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { Main } from "./Main.tsx";
import { useTitle } from "./use-title.ts";
import { shellText } from "./shell-text.ts";

export function MissingPage() {
  useTitle(shellText.notFound);
  return (
    <Main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={Compass}
        isPage
        title={shellText.notFoundTitle}
        action={
          <Link to="/" className={buttonClass("primary")}>
            {shellText.goHome}
          </Link>
        }
      >
        {shellText.notFoundHint}
      </EmptyState>
    </Main>
  );
}
