import type { ApiKey, Member } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { dayOf } from "../components/dates.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { membersText } from "./members-text.ts";
import { sharedText } from "../components/shared-text.ts";

export type KeyPolicy = "end" | "grace" | "keep";

interface MemberKeysProps {
  place: OpenPlace;
  member: Member;
  policy: KeyPolicy;
  onChange(policy: KeyPolicy): void;
}

/** API keys that a member created, and the policy for them. */
export function MemberKeys({ place, member, policy, onChange }: MemberKeysProps) {
  const keys = useQuery({
    queryKey: [place.organisation, "keys of", member.user_id],
    queryFn: () => withSession(() => activeKeysOf(place, member)),
  });
  if (keys.error) return <FailureNotice error={keys.error} />;
  if (!keys.data) return <p className="text-ink-2">{membersText.keysLoading}</p>;
  if (keys.data.length === 0) return <p>{membersText.noKeys(member.name)}</p>;
  return (
    <div className="grid gap-3">
      <p>{membersText.keysOf(member.name)}</p>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {keys.data.map((key) => (
          <li key={key.id} className="flex flex-wrap justify-between gap-x-4 px-3 py-2">
            <span className="font-medium break-all">
              {key.name} <code className="font-mono text-xs text-ink-2">…{key.hint}</code>
            </span>
            <span className="text-xs text-ink-2">
              {key.environment},{" "}
              {key.last_used_at ? membersText.keyUsed(dayOf(key.last_used_at)) : sharedText.neverUsed}
              {key.is_shared && membersText.keyShared}
            </span>
          </li>
        ))}
      </ul>
      <SelectField
        label={membersText.keyPolicy}
        value={policy}
        onChange={({ target }) => onChange(target.value as KeyPolicy)}
      >
        {Object.entries(membersText.keyPolicies).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

async function activeKeysOf({ client }: OpenPlace, { user_id }: Member): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (const environment of ["live", "test"] as const)
    for await (const key of client.with({ environment }).apiKeys.list({ limit: 100 }))
      if (key.created_by === user_id && key.status === "active") keys.push(key);
  return keys;
}
