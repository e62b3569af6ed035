import { CopyButton } from "../components/CopyButton.tsx";
import { operatorText } from "./operator-text.ts";

/** A command that needs access to the server. */
export function ServerCommand({ command, says }: { command: string; says: string }) {
  return (
    <div className="grid gap-1.5 rounded-lg border border-line bg-surface p-4">
      <p className="text-sm">{says}</p>
      <p className="flex items-center gap-2 rounded-md bg-canvas px-3 py-2">
        <code className="min-w-0 grow font-mono text-xs break-all">{command}</code>
        <CopyButton text={command} label={operatorText.copyCommand} />
      </p>
    </div>
  );
}
