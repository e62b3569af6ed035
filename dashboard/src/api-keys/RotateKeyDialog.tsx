import type { ApiKey } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../components/FormDialog.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { apiKeysText } from "./api-keys-text.ts";

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
    <FormDialog
      made={
        rotate.data
          ? {
              title: apiKeysText.rotateTitle(apiKey.name),
              secret: rotate.data.secret,
              label: apiKeysText.key,
            }
          : undefined
      }
      onClose={onClose}
      title={apiKeysText.rotateTitle(apiKey.name)}
      description={apiKeysText.rotateHint}
      asCode={() => ({ operation: "rotateApiKey" })}
      action={apiKeysText.rotate}
      mutation={rotate}
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate();
      }}
    >
      <SelectField
        label={apiKeysText.overlap}
        value={hours}
        onChange={({ target }) => setHours(OVERLAPS.find((one) => one.hours === Number(target.value))!.hours)}
      >
        {OVERLAPS.map((one) => (
          <option key={one.hours} value={one.hours}>
            {one.label}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
