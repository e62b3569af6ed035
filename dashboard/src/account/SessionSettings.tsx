import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Monitor, TerminalSquare } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { client } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { accountText } from "./account-text.ts";

const KEY = ["sessions"];

export function SessionSettings() {
  const queries = useQueryClient();
  const sessions = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => withSession(() => client.sessions.list({ signal })),
  });
  const end = useMutation({
    mutationFn: (id: string) => withSession(() => client.sessions.end(id)),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  if (sessions.error) return <FailureNotice error={sessions.error} />;
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {sessions.data?.data.map((session) => (
        <li key={session.id} className="flex items-center gap-3 px-4 py-2.5">
          {session.kind === "tool" ? (
            <TerminalSquare aria-label={accountText.tool} className="size-4 shrink-0 text-ink-2" />
          ) : (
            <Monitor aria-label={accountText.browser} className="size-4 shrink-0 text-ink-2" />
          )}
          <div className="grid min-w-0 grow">
            <p className="truncate text-sm" title={session.user_agent ?? undefined}>
              {programOf(session.user_agent)}
            </p>
            <p className="text-xs text-ink-2">
              {accountText.lastSeen(session.address ?? accountText.unknownAddress)}{" "}
              <RelativeTime at={session.last_seen_at} />
            </p>
          </div>
          {session.is_current ? (
            <span className="shrink-0 text-xs font-medium text-good">{accountText.thisSession}</span>
          ) : (
            <Button
              size="small"
              aria-label={accountText.endSessionOf(programOf(session.user_agent))}
              isPending={end.isPending && end.variables === session.id}
              onClick={() => end.mutate(session.id)}
            >
              {accountText.endSession}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Browsers name several others in their user agent. The most specific name is right. */
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux"];

function programOf(userAgent: string | null): string {
  if (!userAgent) return accountText.unknownProgram;
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  return browser ? `${browser}${system ? accountText.onSystem(system) : ""}` : userAgent;
}
