import type { Member } from "@dialplane/sdk";
import { useInfiniteQuery, useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { Page } from "../components/Page.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { Section } from "../components/Section.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { dayOf } from "../components/dates.ts";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { meQuery, withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { DemoteDialog } from "./DemoteDialog.tsx";
import { Invitations } from "./Invitations.tsx";
import { InviteDialog } from "./InviteDialog.tsx";
import type { KeyPolicy } from "./MemberKeys.tsx";
import { RemoveMemberDialog } from "./RemoveMemberDialog.tsx";
import { type Role, rolesGivenBy } from "./roles.ts";
import { membersText } from "./members-text.ts";

/** Members and open invitations of the organisation. */
export function MembersPage() {
  useTitle(membersText.title);
  const place = useOpenPlace();
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title={membersText.title}
      says={membersText.about(place.name)}
      asCode={() => [
        { operation: "listMembers" },
        { operation: "changeRole", path: { id: "USER_ID" }, body: { role: "developer" } },
      ]}
      aside={
        <Button
          look="primary"
          icon={<UserPlus aria-hidden className="size-4" />}
          onClick={() => setInviting(true)}
        >
          {membersText.inviteMember}
        </Button>
      }
    >
      <Members place={place} />
      <Invitations place={place} />
      {isInviting && <InviteDialog place={place} onClose={() => setInviting(false)} />}
    </Page>
  );
}

function Members({ place }: { place: OpenPlace }) {
  const { organisation, client } = place;
  const { data: me } = useSuspenseQuery(meQuery);
  const [leaving, setLeaving] = useState<Member>();
  const list = useInfiniteQuery({
    queryKey: [organisation, "members"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.members.list({ limit: 100, cursor: pageParam }, { signal })),
    ...paging,
  });
  return (
    <Section title={membersText.title}>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {rowsOf(list.data).map((member) => (
          <Row
            key={member.user_id}
            place={place}
            member={member}
            isMe={member.user_id === me.caller.id || member.email === me.caller.email}
            onRemove={() => setLeaving(member)}
          />
        ))}
      </ul>
      <MoreRows list={list} />
      {leaving && <RemoveMemberDialog place={place} member={leaving} onClose={() => setLeaving(undefined)} />}
    </Section>
  );
}

interface RowProps {
  place: OpenPlace;
  member: Member;
  isMe: boolean;
  onRemove(): void;
}

function Row({ place, member, isMe, onRemove }: RowProps) {
  const queries = useQueryClient();
  const roles = rolesGivenBy(place.role);
  const isAbove = !roles.some((role) => role === member.role);
  const [isDemoting, setDemoting] = useState(false);
  const change = useMutation({
    mutationFn: (wanted: { role: Role; keys?: KeyPolicy }) =>
      withSession(() => place.client.members.changeRole(member.user_id, wanted)),
    meta: { isShownInPlace: isDemoting },
    onSuccess: ({ name, role }) => {
      tellDone(membersText.roleChanged(name, role));
      setDemoting(false);
      return queries.invalidateQueries({ queryKey: [place.organisation, "members"] });
    },
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="grid min-w-0 grow basis-48">
        <p className="truncate text-sm font-medium">
          {member.name}
          {isMe && <span className="font-normal text-ink-2"> {membersText.you}</span>}
        </p>
        <p className="truncate text-xs text-ink-2">
          {membersText.since(member.email, dayOf(member.joined_at))}
        </p>
      </div>
      {isMe || isAbove ? (
        <span className="text-sm text-ink-2">{wordFor(member.role)}</span>
      ) : (
        <>
          <RoleSelect
            member={member}
            roles={roles}
            isPending={change.isPending}
            onChange={(role) => (role === "member" ? setDemoting(true) : change.mutate({ role }))}
          />
          <Button size="small" aria-label={membersText.remove(member.name)} onClick={onRemove}>
            {sharedText.remove}
          </Button>
          {isDemoting && (
            <DemoteDialog
              place={place}
              member={member}
              mutation={change}
              onConfirm={(keys) => change.mutate({ role: "member", keys })}
              onClose={() => setDemoting(false)}
            />
          )}
        </>
      )}
    </li>
  );
}

interface RoleSelectProps {
  member: Member;
  roles: readonly Role[];
  isPending: boolean;
  onChange(role: Role): void;
}

function RoleSelect({ member, roles, isPending, onChange }: RoleSelectProps) {
  return (
    <select
      aria-label={membersText.roleOf(member.name)}
      value={member.role}
      disabled={isPending}
      onChange={({ target }) => onChange(target.value as Role)}
      className="h-8 rounded-md border border-line-strong bg-surface px-2 text-sm"
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {wordFor(role)}
        </option>
      ))}
    </select>
  );
}
