import { ApiError } from "@dialplane/sdk";
import type { TrunkList } from "@dialplane/sdk/operator";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import { trunkRevisionsList, trunksQuery } from "./trunks-query.ts";

type Send = (confirmedNetworks: string[]) => PromiseLike<TrunkList>;

export interface TrunkChange {
  start(send: Send): void;
  isPending: boolean;
  error: unknown;
  /** Networks that the change opens, and that the operator has not confirmed yet. */
  networks: string[] | undefined;
  confirm(): void;
  cancel(): void;
}

/** A change of a group's trunks. If it opens networks, it is sent again after the operator has confirmed them. */
export function useTrunkChange(groupId: string, done: string, onDone: () => void): TrunkChange {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ send: Send; networks: string[] }>();
  const change = useMutation({
    mutationFn: ({ send, networks }: { send: Send; networks: string[] }) => withSession(() => send(networks)),
    meta: { isShownInPlace: true },
    onSuccess: async (list) => {
      queries.setQueryData(trunksQuery(groupId).queryKey, list);
      tellDone(done);
      onDone();
      await queries.invalidateQueries({ queryKey: trunkRevisionsList(groupId).queryKey });
    },
    onError: (error, { send }) => {
      const networks = unconfirmed(error);
      setAsked(networks && { send, networks });
    },
  });
  return {
    start: (send) => change.mutate({ send, networks: [] }),
    isPending: change.isPending,
    error: unconfirmed(change.error) ? null : change.error,
    networks: asked?.networks,
    confirm: () => asked && change.mutate(asked),
    cancel() {
      setAsked(undefined);
      change.reset();
    },
  };
}

function unconfirmed(error: unknown): string[] | undefined {
  if (!(error instanceof ApiError) || error.code !== "networks_not_confirmed") return undefined;
  const { networks } = { ...error.problem } as { networks?: string[] };
  return networks;
}
