import type { ApiKey } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Secret } from "../components/Secret.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

const OVERLAPS = [
  { hours: 168, label: "a week" },
  { hours: 24, label: "a day" },
  { hours: 1, label: "an hour" },
  { hours: 0, label: "not at all: it ends now" },
] as const;

interface KeyDialogProps {
  place: OpenPlace;
  apiKey: ApiKey;
  onClose(): void;
}

/** A new key in place of this one; for a while both work, so that programs can be changed over in peace. */
export function RotateKeyDialog({ place, apiKey, onClose }: KeyDialogProps) {
  const queries = useQueryClient();
  const [hours, setHours] = useState<(typeof OVERLAPS)[number]["hours"]>(24);
  const rotate = useMutation({
    mutationFn: () => withSession(() => place.client.apiKeys.rotate(apiKey.id, { overlap_hours: hours })),
    meta: { isShownInPlace: true },
    onSuccess: () =>
      queries.invalidateQueries({ queryKey: [place.organisation, place.environment, "api-keys"] }),
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Rotate “${apiKey.name}”`}
      description={rotate.data ? undefined : "A new key with the same powers takes its place."}
      asCode={() => ({ operation: "rotateApiKey" })}
    >
      {rotate.data ? (
        <div className="grid gap-4">
          <Secret text={rotate.data.secret} label="key" />
          <Button look="primary" className="justify-self-end" onClick={onClose}>
            I have it
          </Button>
        </div>
      ) : (
        <div className="grid gap-5">
          <SelectField
            label="The old one goes on for"
            value={hours}
            onChange={({ target }) =>
              setHours(OVERLAPS.find((one) => one.hours === Number(target.value))!.hours)
            }
          >
            {OVERLAPS.map((one) => (
              <option key={one.hours} value={one.hours}>
                {one.label}
              </option>
            ))}
          </SelectField>
          {rotate.error && <FailureNotice error={rotate.error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" isPending={rotate.isPending} onClick={() => rotate.mutate()}>
              Rotate
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
