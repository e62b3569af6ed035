import { createContext, type ReactNode, use } from "react";

/** True inside the shell, whose own main part every page stands in. */
export const IsWithinMain = createContext(false);

/** The main part of a page that is shown by itself as well as in the shell: a document has but one. */
export function Main({ className, children }: { className: string; children: ReactNode }) {
  const Part = use(IsWithinMain) ? "div" : "main";
  return <Part className={className}>{children}</Part>;
}
