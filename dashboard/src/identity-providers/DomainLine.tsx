import type { IdentityProviderDomain } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { dayOf } from "../numbers/words.ts";
import { withSession } from "../session/session.ts";
import { useOpenPlace } from "../shell/use-place.ts";
import { identityProvidersQuery } from "./identity-providers-query.ts";

interface DomainLineProps {
  providerId: string;
  domain: IdentityProviderDomain;
}

/** A domain, and what to enter at its name server while it is not proved. */
export function DomainLine({
  providerId,
  domain: { domain, proved_at, checked_at, missing_since, lapsed_at, record_name, record_value },
}: DomainLineProps) {
  const place = useOpenPlace();
  const queries = useQueryClient();
  const prove = useMutation({
    mutationFn: () => withSession(() => place.client.identityProviders.proveDomain(providerId, { domain })),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(`${domain} is proved`, "People with such addresses can sign in now.");
      await queries.invalidateQueries(identityProvidersQuery(place));
    },
  });
  if (proved_at && !missing_since)
    return (
      <li className="flex items-center gap-2 py-2.5 text-sm">
        <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
        <span className="min-w-0 grow font-medium break-all">{domain}</span>
        <span className="text-xs text-muted">
          proved {dayOf(proved_at)}
          {checked_at && `, checked ${dayOf(checked_at)}`}
        </span>
      </li>
    );
  return (
    <li className="grid gap-3 py-3 text-sm">
      <div className="flex items-center gap-2">
        {missing_since || lapsed_at ? (
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-bad" />
        ) : (
          <CircleDashed aria-hidden className="size-4 shrink-0 text-warn" />
        )}
        <span className="min-w-0 grow font-medium break-all">{domain}</span>
        <Button size="small" isPending={prove.isPending} onClick={() => prove.mutate()}>
          Look for the record
        </Button>
      </div>
      <p className="text-muted">
        {missing_since
          ? `The TXT record has been missing since ${dayOf(missing_since)}. If it stays away for three days, nobody with such an address can sign in through this provider. Add it again:`
          : lapsed_at
            ? `No longer verified since ${dayOf(lapsed_at)}, because the TXT record was missing. Nobody with such an address can sign in through this provider. Add it again:`
            : "Not proved yet. Add this TXT record where the domain’s names are kept:"}
      </p>
      <Entry label="Name" text={record_name} />
      <Entry label="Value" text={record_value} />
      {prove.error && <FailureNotice error={prove.error} />}
    </li>
  );
}

function Entry({ label, text }: { label: string; text: string }) {
  return (
    <p className="flex items-center gap-1">
      <span className="w-12 shrink-0 text-xs text-muted">{label}</span>
      <code className="min-w-0 grow break-all">{text}</code>
      <CopyButton text={text} label={`Copy the ${label.toLowerCase()}`} />
    </p>
  );
}
