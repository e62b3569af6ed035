import type { IdentityProviderDomain } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { dayOf } from "../components/dates.ts";
import { withSession } from "../session/session.ts";
import { useOpenPlace } from "../shell/use-place.ts";
import { identityProvidersQuery } from "./identity-providers-query.ts";
import { identityProvidersText } from "./identity-providers-text.ts";
import { sharedText } from "../components/shared-text.ts";

interface DomainLineProps {
  providerId: string;
  domain: IdentityProviderDomain;
}

/** A domain, and its DNS record until it is verified. */
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
      tellDone(identityProvidersText.domainVerified(domain), identityProvidersText.domainVerifiedDetail);
      await queries.invalidateQueries(identityProvidersQuery(place));
    },
  });
  if (proved_at && !missing_since)
    return (
      <li className="flex items-center gap-2 py-2.5 text-sm">
        <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
        <span className="min-w-0 grow font-medium break-all">{domain}</span>
        <span className="text-xs text-ink-2">
          {identityProvidersText.verified(dayOf(proved_at))}
          {checked_at && identityProvidersText.checked(dayOf(checked_at))}
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
          {identityProvidersText.verify}
        </Button>
      </div>
      <p className="text-ink-2">
        {missing_since
          ? identityProvidersText.recordMissing(dayOf(missing_since))
          : lapsed_at
            ? identityProvidersText.lapsed(dayOf(lapsed_at))
            : identityProvidersText.notVerified}
      </p>
      <Entry label={sharedText.name} text={record_name} />
      <Entry label={identityProvidersText.recordValue} text={record_value} />
      {prove.error && <FailureNotice error={prove.error} />}
    </li>
  );
}

function Entry({ label, text }: { label: string; text: string }) {
  return (
    <p className="flex items-center gap-1">
      <span className="w-12 shrink-0 text-xs text-ink-2">{label}</span>
      <code className="min-w-0 grow break-all">{text}</code>
      <CopyButton text={text} label={sharedText.copy(label.toLowerCase())} />
    </p>
  );
}
