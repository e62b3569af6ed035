import type { Switch } from "@dialplane/sdk/operator";
import { type ReactNode, useState } from "react";
import { Button } from "../components/Button.tsx";
import { operatorText } from "./operator-text.ts";
import { CredentialDialog, StateDialog, type WantedState } from "./SwitchDialogs.tsx";

const text = operatorText.switches;

/** Buttons that change a switch, with their dialogs. */
export function SwitchActions({ one }: { one: Switch }) {
  const [opened, setOpened] = useState<WantedState | "credential">();
  const close = (): void => setOpened(undefined);
  const act = (to: WantedState | "credential", label: string, spoken = label): ReactNode => (
    <Button size="small" aria-label={`${spoken} ${one.name}`} onClick={() => setOpened(to)}>
      {label}
    </Button>
  );
  const isCounting = one.state !== "retired";
  return (
    <div className="flex flex-wrap gap-2">
      {one.state !== "active" && act("active", text.actions.active.verb)}
      {isCounting && one.state !== "draining" && act("draining", text.actions.draining.verb)}
      {isCounting && act("retired", text.actions.retired.verb)}
      {isCounting && act("credential", text.newCredential, text.newCredentialFor)}
      {opened === "credential" && <CredentialDialog one={one} onClose={close} />}
      {opened && opened !== "credential" && <StateDialog one={one} state={opened} onClose={close} />}
    </div>
  );
}
