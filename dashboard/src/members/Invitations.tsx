import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button } from "../components/Button.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { Section } from "../components/Section.tsx";
import { dayOf } from "../components/dates.ts";
import { wordFor } from "../components/shared-text.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { membersText } from "./members-text.ts";

/** Open invitations. */
export function Invitations({ place }: { place: OpenPlace }) {
  const { organisation, client } = place;
  const queries = useQueryClient();
  const queryKey = [organisation, "invitations"];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.invitations.list({ limit: 100, cursor: pageParam }, { signal })),
    ...paging,
  });
  const withdraw = useMutation({
    mutationFn: (id: string) => withSession(() => client.invitations.withdraw(id)),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  const invitations = rowsOf(list.data);
  if (list.data && invitations.length === 0) return null;
  return (
    <Section
      title={membersText.invitations}
      aside={
        <AsCode
          of={membersText.invitations}
          call={() => [
            { operation: "listInvitations" },
            { operation: "withdrawInvitation", path: { id: invitations[0]?.id ?? "INVITATION_ID" } },
          ]}
        />
      }
    >
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {invitations.map(({ id, email, role, expires_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
            <div className="grid min-w-0 grow basis-48">
              <p className="truncate text-sm font-medium">{email}</p>
              <p className="text-xs text-ink-2">
                {membersText.invitation(wordFor(role).toLowerCase(), dayOf(expires_at))}
              </p>
            </div>
            <Button
              size="small"
              aria-label={membersText.withdrawOf(email)}
              isPending={withdraw.isPending && withdraw.variables === id}
              onClick={() => withdraw.mutate(id)}
            >
              {membersText.withdraw}
            </Button>
          </li>
        ))}
      </ul>
      <MoreRows list={list} />
    </Section>
  );
}
