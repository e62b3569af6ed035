import type { PhoneNumber } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

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
      title={`Release ${number.e164}?`}
      asCode={() => ({ operation: "releaseNumber", path: { id: number.id } })}
      action="Release"
      cancel="Keep it"
      look="danger"
      isPending={release.isPending}
      isDisabled={!isConfirmed}
      error={release.error}
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) release.mutate();
      }}
    >
      <ol className="grid list-decimal gap-1.5 pl-5 text-sm">
        <li>Its calls stop at once{number.label && <> for “{number.label}”</>}.</li>
        <li>
          {number.source === "order"
            ? "When every switch has confirmed that, the carrier takes the number back."
            : "When every switch has confirmed that, it leaves your organisation; it was imported, so no carrier is told."}
        </li>
        <li>Then it rests. While it does, you can take it back with the routing it has now.</li>
        <li>After that it is gone, and somebody else may get it. Its history stays with you.</li>
      </ol>
      <TextField
        label={`Type the last ${ENDING_DIGITS} digits of the number to confirm`}
        inputMode="numeric"
        autoComplete="off"
        placeholder={"0".repeat(ENDING_DIGITS)}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </FormDialog>
  );
}
