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
import { apiKeysText } from "./api-keys-text.ts";
import { sharedText } from "../components/shared-text.ts";

const OVERLAPS = [
  { hours: 168, label: apiKeysText.overlaps.week },
  { hours: 24, label: apiKeysText.overlaps.day },
  { hours: 1, label: apiKeysText.overlaps.hour },
  { hours: 0, label: apiKeysText.overlaps.none },
] as const;

interface KeyDialogProps {
  place: OpenPlace;
  apiKey: ApiKey;
  onClose(): void;
}

/** Creates a new key. Both are valid during the overlap. */
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
      title={apiKeysText.rotateTitle(apiKey.name)}
      description={rotate.data ? undefined : apiKeysText.rotateHint}
      asCode={() => ({ operation: "rotateApiKey" })}
    >
      {rotate.data ? (
        <div className="grid gap-4">
          <Secret text={rotate.data.secret} label={apiKeysText.key} />
          <Button look="primary" className="justify-self-end" onClick={onClose}>
            {sharedText.done}
          </Button>
        </div>
      ) : (
        <div className="grid gap-5">
          <SelectField
            label={apiKeysText.overlap}
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
            <Button onClick={onClose}>{sharedText.cancel}</Button>
            <Button look="primary" isPending={rotate.isPending} onClick={() => rotate.mutate()}>
              {apiKeysText.rotate}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
