import type { User } from "@dialplane/sdk/operator";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { TextField } from "../components/TextField.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { operator } from "../session/client.ts";
import { operatorList } from "./operator-list.ts";
import { OperatorPage } from "./OperatorPage.tsx";
import { StatusMark } from "./StatusMark.tsx";
import { type UserAction, UserDialog } from "./UserDialog.tsx";
import { operatorText } from "./operator-text.ts";

const listOf = (email: string) =>
  operatorList(`users ${email}`, (query) => operator.users.list({ ...query, ...(email && { email }) }));

/** User accounts, and actions against compromised ones. */
export function UsersPage() {
  const [email, setEmail] = useState("");
  const list = listOf(email);
  const users = useInfiniteQuery(list);
  const [opened, setOpened] = useState<{ action: UserAction; one: User }>();
  const all = rowsOf(users.data);
  return (
    <OperatorPage title={operatorText.users.title} says={operatorText.users.about} error={users.error}>
      <FindForm onFind={setEmail} />
      {users.data && all.length === 0 && (
        <EmptyState icon={Search} title={operatorText.users.none}>
          {operatorText.users.noneHint}
        </EmptyState>
      )}
      <ul className="grid gap-3">
        {all.map((one) => (
          <Card key={one.id} one={one} onOpen={(action) => setOpened({ action, one })} />
        ))}
      </ul>
      <MoreRows list={users} />
      {opened && <UserDialog {...opened} listKey={list.queryKey} onClose={() => setOpened(undefined)} />}
    </OperatorPage>
  );
}

function FindForm({ onFind }: { onFind(email: string): void }) {
  const [typed, setTyped] = useState("");
  return (
    <form
      role="search"
      className="flex max-w-md items-end gap-2"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim());
      }}
    >
      <TextField
        label={sharedText.emailAddress}
        type="email"
        className="grow"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit">{operatorText.users.find}</Button>
    </form>
  );
}

function Card({ one, onOpen }: { one: User; onOpen(action: UserAction): void }) {
  const act = (action: UserAction): ReactNode => {
    const label = operatorText.users.actions[action].action;
    return (
      <Button size="small" aria-label={`${label}: ${one.email}`} onClick={() => onOpen(action)}>
        {label}
      </Button>
    );
  };
  return (
    <li className="grid gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="grid min-w-0">
          <h2 className="truncate font-medium">{one.name}</h2>
          <p className="truncate text-xs text-ink-2">{one.email}</p>
        </div>
        <StatusMark look={one.disabled_at ? "stopped" : "active"}>
          {one.disabled_at ? operatorText.users.disabled : operatorText.users.enabled}
        </StatusMark>
      </div>
      <p className="text-sm text-ink-2">{reachOf(one)}</p>
      <div className="flex flex-wrap gap-2">
        {act(one.disabled_at ? "enable" : "disable")}
        {one.session_count > 0 && act("end-sessions")}
        {one.has_authenticator && act("remove-authenticator")}
      </div>
    </li>
  );
}

/** Access of this account. */
function reachOf({ is_operator, session_count, api_key_count, organisations }: User): string {
  return [
    ...(is_operator ? [operatorText.users.operator] : []),
    organisations.map(({ name, role }) => `${name} (${wordFor(role).toLowerCase()})`).join(", ") ||
      operatorText.users.noOrganisation,
    operatorText.users.sessions(session_count),
    operatorText.users.apiKeys(api_key_count),
  ].join(" · ");
}
