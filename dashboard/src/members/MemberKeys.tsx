import type { ApiKey, Member } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { dayOf } from "../numbers/words.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

export type KeyPolicy = "end" | "grace" | "keep";

const POLICIES: Record<KeyPolicy, string> = {
  end: "End now",
  grace: "End in 24 hours",
  keep: "Keep working",
};

interface MemberKeysProps {
  place: OpenPlace;
  member: Member;
  policy: KeyPolicy;
  onChange(policy: KeyPolicy): void;
}

/** The API keys that a person created, and what happens to them. */
export function MemberKeys({ place, member, policy, onChange }: MemberKeysProps) {
  const keys = useQuery({
    queryKey: [place.organisation, "keys of", member.user_id],
    queryFn: () => withSession(() => activeKeysOf(place, member)),
  });
  if (keys.error) return <FailureNotice error={keys.error} />;
  if (!keys.data) return <p className="text-muted">Looking for API keys…</p>;
  if (keys.data.length === 0) return <p>{member.name} created no active API keys.</p>;
  return (
    <div className="grid gap-3">
      <p>API keys that {member.name} created:</p>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {keys.data.map((key) => (
          <li key={key.id} className="flex flex-wrap justify-between gap-x-4 px-3 py-2">
            <span className="font-medium break-all">
              {key.name} <code className="font-mono text-xs text-muted">…{key.hint}</code>
            </span>
            <span className="text-xs text-muted">
              {key.environment}, {key.last_used_at ? `last used ${dayOf(key.last_used_at)}` : "never used"}
              {key.is_shared && ", shared with another organisation"}
            </span>
          </li>
        ))}
      </ul>
      <SelectField
        label="These keys"
        value={policy}
        onChange={({ target }) => onChange(target.value as KeyPolicy)}
      >
        {Object.entries(POLICIES).map(([value, label]) => (
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
