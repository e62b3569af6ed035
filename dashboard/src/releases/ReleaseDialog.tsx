import type { PhoneNumber } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { releasesText } from "./releases-text.ts";

interface ReleaseDialogProps {
  place: OpenPlace;
  number: PhoneNumber;
  onClose(): void;
}

const ENDING_DIGITS = 4;

/** Shows the consequences, and requires the number's last digits, to prevent a release by mistake. */
export function ReleaseDialog({ place, number, onClose }: ReleaseDialogProps) {
  const queries = useQueryClient();
  const ending = number.e164.slice(-ENDING_DIGITS);
  const [typed, setTyped] = useState("");
  const release = useMutation({
    mutationFn: () => withSession(() => place.client.numbers.release(number.id)),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment] });
      onClose();
    },
  });
  const isConfirmed = typed.replaceAll(/\D/g, "").endsWith(ending);
  return (
    <FormDialog
      onClose={onClose}
      title={releasesText.title(number.e164)}
      asCode={() => ({ operation: "releaseNumber", path: { id: number.id } })}
      action={releasesText.release}
      cancel={releasesText.keep}
      look="danger"
      isDisabled={!isConfirmed}
      mutation={release}
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) release.mutate();
      }}
    >
      <ol className="grid list-decimal gap-1.5 pl-5 text-sm">
        <li>{number.label ? releasesText.callsStopFor(number.label) : releasesText.callsStop}</li>
        <li>{number.source === "order" ? releasesText.returned : releasesText.returnedImported}</li>
        <li>{releasesText.restorable}</li>
        <li>{releasesText.gone}</li>
      </ol>
      <TextField
        label={releasesText.confirm(ENDING_DIGITS)}
        inputMode="numeric"
        autoComplete="off"
        placeholder={"0".repeat(ENDING_DIGITS)}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </FormDialog>
  );
}
