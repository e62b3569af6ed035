import type { SentTrunkList, TrunkList } from "../trunk-list.ts";
import type { TrunkPlace } from "./held-trunks.ts";
import { readSecret, type SwitchSettings } from "./switch-settings.ts";

/** Trunks of the settings file. They apply until the service sends a list. */
export function ownTrunks({ trunks, forward }: SwitchSettings): TrunkList {
  return {
    trunks: trunks.map(({ gateway, ...trunk }) => {
      if (gateway === null) return { ...trunk, gateway };
      const { password_file: file, ...rest } = gateway;
      return { ...trunk, gateway: { ...rest, password_id: file === null ? null : idOf(trunk.name) } };
    }),
    forwarding: forward && {
      // A single `gateway` is never pinged: some carriers ignore OPTIONS.
      gateways: forward.gateways ?? [{ trunk: forward.gateway!, priority: 1, weight: 1, ping: false }],
      prefixes: forward.prefixes,
      calls_per_minute: forward.calls_per_minute,
      calls_at_once: forward.calls_at_once,
    },
  };
}

/** Trunks of this switch's settings, and the conditions under which the agent can change them. */
export function trunkPlaceOf(settings: SwitchSettings): TrunkPlace {
  return { own: ownTrunks(settings), runDir: settings.run_dir, hasTls: settings.tls !== null };
}

/** Passwords of the settings file's gateways for forwarded calls. */
export function ownPasswords(settings: SwitchSettings): SentTrunkList["passwords"] {
  const used = new Set(ownTrunks(settings).forwarding?.gateways.map(({ trunk }) => trunk));
  return Object.fromEntries(
    settings.trunks.flatMap(({ name, gateway }) => {
      const file = gateway?.password_file ?? null;
      return file === null || !used.has(name) ? [] : [[idOf(name), readSecret(file)]];
    }),
  );
}

const idOf = (trunk: string): string => `file-${trunk}`;
