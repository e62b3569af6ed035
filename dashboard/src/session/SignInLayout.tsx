import type { ReactNode } from "react";
import { sessionText } from "./session-text.ts";

/** Layout of the sign-in pages. */
export function SignInLayout({
  title,
  lead,
  children,
  below,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  below?: ReactNode;
}) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-sm content-center gap-6 px-4 py-10">
      <p className="flex items-center gap-2 text-sm font-semibold">
        <img src="/favicon.svg" alt="" className="size-6" />
        {sessionText.dialplane}
      </p>
      <div className="grid gap-1">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {lead && <p className="text-sm text-ink-2">{lead}</p>}
      </div>
      {children}
      {below && <div className="text-sm text-ink-2">{below}</div>}
    </main>
  );
}

export const LINK_CLASS = "font-medium text-accent underline-offset-2 hover:underline";
