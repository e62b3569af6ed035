import { useQuery } from "@tanstack/react-query";
import { Building2, Plus } from "lucide-react";
import { useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { AddProviderDialog } from "./AddProviderDialog.tsx";
import { identityProvidersQuery } from "./identity-providers-query.ts";
import { ProviderCard } from "./ProviderCard.tsx";
import { identityProvidersText } from "./identity-providers-text.ts";

/** Identity providers of the organisation, for its owners. */
export function IdentityProvidersPage() {
  useTitle(identityProvidersText.title);
  const place = useOpenPlace();
  const providers = useQuery(identityProvidersQuery(place));
  const [isAdding, setAdding] = useState(false);
  const all = providers.data?.data ?? [];
  const add = (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setAdding(true)}>
      {identityProvidersText.add}
    </Button>
  );
  return (
    <div className="min-h-0 grow overflow-y-auto">
      <div className="mx-auto grid max-w-3xl gap-6 px-4 py-6">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div>
            <h1 className="text-xl font-semibold tracking-tight">{identityProvidersText.title}</h1>
            <p className="text-sm text-ink-2">{identityProvidersText.about}</p>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <AsCode call={() => [{ operation: "listIdentityProviders" }, { operation: "proveDomain" }]} />
            {all.length > 0 && add}
          </div>
        </div>
        {providers.error && <FailureNotice error={providers.error} />}
        {providers.isSuccess && all.length === 0 && (
          <EmptyState icon={Building2} title={identityProvidersText.none} action={add}>
            {identityProvidersText.noneHint}
          </EmptyState>
        )}
        {all.map((provider) => (
          <ProviderCard key={provider.id} provider={provider} />
        ))}
      </div>
      {isAdding && <AddProviderDialog onClose={() => setAdding(false)} />}
    </div>
  );
}
