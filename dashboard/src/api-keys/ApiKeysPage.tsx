import type { ApiKey } from "@dialplane/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { Page } from "../components/Page.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { dayOf } from "../components/dates.ts";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { ConfirmKeyDialog } from "./ConfirmKeyDialog.tsx";
import { CreateKeyDialog } from "./CreateKeyDialog.tsx";
import { RevokeKeyDialog } from "./RevokeKeyDialog.tsx";
import { RotateKeyDialog } from "./RotateKeyDialog.tsx";
import { apiKeysText } from "./api-keys-text.ts";

/** API keys of the organisation. */
export function ApiKeysPage() {
  useTitle(apiKeysText.title);
  const place = useOpenPlace();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setCreating(true)}>
      {apiKeysText.create}
    </Button>
  );
  return (
    <Page
      title={apiKeysText.title}
      says={apiKeysText.about(place.environment, place.name)}
      asCode={() => ({ operation: "listApiKeys" })}
      aside={create}
    >
      <Keys place={place} />
      {isCreating && <CreateKeyDialog place={place} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Keys({ place }: { place: OpenPlace }) {
  const { organisation, environment, client } = place;
  const [opened, setOpened] = useState<{ key: ApiKey; to: Action }>();
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "api-keys"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.apiKeys.list({ limit: 100, cursor: pageParam }, { signal })),
    ...paging,
  });
  const keys = rowsOf(list.data);
  if (list.data && keys.length === 0)
    return (
      <EmptyState icon={KeyRound} title={apiKeysText.none}>
        {apiKeysText.noneHint}
      </EmptyState>
    );
  const close = (): void => setOpened(undefined);
  return (
    <>
      {keys.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {keys.map((key) => (
            <Row key={key.id} apiKey={key} onOpen={(to) => setOpened({ key, to })} />
          ))}
        </ul>
      )}
      <MoreRows list={list} />
      {opened?.to === "rotate" && <RotateKeyDialog place={place} apiKey={opened.key} onClose={close} />}
      {opened?.to === "confirm" && <ConfirmKeyDialog place={place} apiKey={opened.key} onClose={close} />}
      {opened?.to === "revoke" && <RevokeKeyDialog place={place} apiKey={opened.key} onClose={close} />}
    </>
  );
}

type Action = "rotate" | "confirm" | "revoke";

function Row({ apiKey, onOpen }: { apiKey: ApiKey; onOpen(to: Action): void }) {
  const { name, hint, scopes, status, expires_at, last_used_at, allowed_networks, is_shared } = apiKey;
  const isActive = status === "active";
  const isSuspended = status === "suspended";
  return (
    <li className={`flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 ${isActive ? "" : "text-ink-2"}`}>
      <div className="grid min-w-0 grow basis-56 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          <span className="truncate">{name}</span>
          <code className="font-mono text-xs text-ink-2">…{hint}</code>
          {!isActive && <span className="rounded bg-hover px-1.5 text-xs leading-5">{wordFor(status)}</span>}
        </p>
        <p className="text-xs text-ink-2">
          {scopes.join(", ")}
          {allowed_networks.length > 0 && apiKeysText.onlyFrom(allowed_networks.join(", "))}
          {is_shared && apiKeysText.shared}
        </p>
        <p className="text-xs text-ink-2">
          {last_used_at ? (
            <>
              {sharedText.used} <RelativeTime at={last_used_at} />
            </>
          ) : (
            sharedText.neverUsed
          )}
          , {expires_at ? apiKeysText.expires(dayOf(expires_at)) : apiKeysText.noExpiry}
        </p>
      </div>
      {(isActive || isSuspended) && (
        <div className="flex gap-2">
          {isActive ? (
            <Button size="small" aria-label={apiKeysText.rotateKey(name)} onClick={() => onOpen("rotate")}>
              {apiKeysText.rotate}
            </Button>
          ) : (
            <Button size="small" aria-label={apiKeysText.confirmKey(name)} onClick={() => onOpen("confirm")}>
              {apiKeysText.confirm}
            </Button>
          )}
          <Button size="small" aria-label={apiKeysText.revokeKey(name)} onClick={() => onOpen("revoke")}>
            {apiKeysText.revoke}
          </Button>
        </div>
      )}
    </li>
  );
}
