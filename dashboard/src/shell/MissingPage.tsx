import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonClass } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { Main } from "./Main.tsx";
import { useTitle } from "./use-title.ts";

export function MissingPage() {
  useTitle("Not found");
  return (
    <Main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={Compass}
        isPage
        title="There is nothing at this address"
        action={
          <Link to="/" className={buttonClass("primary")}>
            Go to your numbers
          </Link>
        }
      >
        It may have been mistyped, or it belongs to an organisation you are not in.
      </EmptyState>
    </Main>
  );
}
