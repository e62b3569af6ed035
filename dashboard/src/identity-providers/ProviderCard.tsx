import type { IdentityProvider } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import { useOpenPlace } from "../shell/use-place.ts";
import { ChangeProviderDialog } from "./ChangeProviderDialog.tsx";
import { DomainLine } from "./DomainLine.tsx";
import { identityProvidersQuery } from "./identity-providers-query.ts";
import { identityProvidersText } from "./identity-providers-text.ts";
import { sharedText } from "../components/shared-text.ts";

export function ProviderCard({ provider }: { provider: IdentityProvider }) {
  const [opened, setOpened] = useState<"change" | "remove">();
  const close = (): void => setOpened(undefined);
  const { name, issuer, client_id, redirect_uri, people } = provider;
  return (
    <section aria-label={name} className="grid gap-4 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-base font-semibold break-words">{name}</h2>
          <p className="text-sm text-ink-2">{identityProvidersText.users(people)}</p>
        </div>
        <div className="flex gap-2">
          <Button
            size="small"
            aria-label={identityProvidersText.change(name)}
            onClick={() => setOpened("change")}
          >
            {sharedText.change}
          </Button>
          <Button
            size="small"
            aria-label={identityProvidersText.remove(name)}
            onClick={() => setOpened("remove")}
          >
            {sharedText.remove}
          </Button>
        </div>
      </div>
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[8rem_1fr]">
        <Line term={identityProvidersText.issuer} detail={issuer} />
        <Line term={identityProvidersText.clientId} detail={client_id} />
        <Line term={identityProvidersText.redirectUri} detail={redirect_uri} />
      </dl>
      <ul className="divide-y divide-line border-t border-line">
        {provider.domains.map((domain) => (
          <DomainLine key={domain.domain} providerId={provider.id} domain={domain} />
        ))}
      </ul>
      {opened === "change" && <ChangeProviderDialog provider={provider} onClose={close} />}
      {opened === "remove" && <RemoveDialog provider={provider} onClose={close} />}
    </section>
  );
}

function Line({ term, detail }: { term: string; detail: string }) {
  return (
    <>
      <dt className="text-ink-2">{term}</dt>
      <dd className="min-w-0 break-all">{detail}</dd>
    </>
  );
}

function RemoveDialog({ provider, onClose }: { provider: IdentityProvider; onClose(): void }) {
  const place = useOpenPlace();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => withSession(() => place.client.identityProviders.delete(provider.id)),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(identityProvidersText.removed(provider.name));
      onClose();
      await queries.invalidateQueries(identityProvidersQuery(place));
    },
  });
  return (
    <ConfirmDialog
      title={identityProvidersText.removeTitle(provider.name)}
      action={sharedText.remove}
      mutation={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      asCode={() => ({ operation: "deleteIdentityProvider" })}
    >
      <p>{identityProvidersText.removeHint}</p>
    </ConfirmDialog>
  );
}
