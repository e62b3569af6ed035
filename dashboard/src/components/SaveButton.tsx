import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { withSession } from "../session/session.ts";
import { Button } from "./Button.tsx";
import { saveFile } from "./save-file.ts";

interface SaveButtonProps {
  label: string;
  fileName: string;
  content(): PromiseLike<ReadableStream<Uint8Array> | string>;
}

/** Downloads a table. A plain link cannot send the organisation's header. */
export function SaveButton({ label, fileName, content }: SaveButtonProps) {
  const save = useMutation({
    mutationFn: async () => saveFile(fileName, await withSession(content)),
  });
  return (
    <Button
      size="small"
      icon={<Download aria-hidden className="size-3.5" />}
      isPending={save.isPending}
      onClick={() => save.mutate()}
    >
      {label}
    </Button>
  );
}
