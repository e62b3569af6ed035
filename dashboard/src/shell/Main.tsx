import { createContext, type ReactNode, use } from "react";

/** True inside the shell, which already has a main element. */
export const IsWithinMain = createContext(false);

/** Main element of a page that also works outside the shell: a document may have only one. */
export function Main({ className, children }: { className: string; children: ReactNode }) {
  const Part = use(IsWithinMain) ? "div" : "main";
  return <Part className={className}>{children}</Part>;
}
