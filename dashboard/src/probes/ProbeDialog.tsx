import type { PhoneNumber, Probe, ProbeLink } from "@dialplane/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleHelp, CircleX, LoaderCircle, type LucideIcon } from "lucide-react";
import { useForm } from "react-hook-form";
import { ChoiceField } from "../components/ChoiceField.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { StatusBadge, type Tone } from "../components/StatusBadge.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { probesText } from "./probes-text.ts";

type Via = (typeof probesText.vias)[number]["value"];

const POLL_MS = 500;
const LOOKS: Record<string, { tone: Tone; icon: LucideIcon }> = {
  proved: { tone: "good", icon: CircleCheck },
  broken: { tone: "bad", icon: CircleX },
  running: { tone: "wait", icon: LoaderCircle },
};
const OTHER = { tone: "plain", icon: CircleHelp } as const;

interface ProbeDialogProps {
  place: OpenPlace;
  number: PhoneNumber;
  onClose(): void;
}

/** Places a probe, and shows its result or that of the last one. */
export function ProbeDialog({ place, number, onClose }: ProbeDialogProps) {
  const { organisation, environment, client } = place;
  const { register, watch } = useForm<{ via: Via }>({ defaultValues: { via: "switch" } });
  const via = watch("via");
  const probes = useQuery({
    queryKey: [organisation, environment, "number", number.id, "probes"],
    queryFn: ({ signal }) => withSession(() => client.probes.list(number.id, { limit: 1 }, { signal })),
    refetchInterval: ({ state }) => (state.data?.data[0]?.status === "running" ? POLL_MS : false),
  });
  const placing = useMutation({
    mutationFn: () => withSession(() => client.probes.place(number.id, { via })),
    meta: { isShownInPlace: true },
    onSettled: () => probes.refetch(),
  });
  const probe = probes.data?.data[0];
  return (
    <FormDialog
      onClose={onClose}
      title={probesText.title}
      description={probesText.description}
      asCode={() => [
        { operation: "createProbe", path: { id: number.id }, body: { via } },
        { operation: "listProbes", path: { id: number.id }, query: { limit: 1 } },
      ]}
      action={probe ? probesText.again : probesText.place}
      cancel={sharedText.close}
      mutation={{ isPending: placing.isPending || probe?.status === "running", error: placing.error }}
      onSubmit={(event) => {
        event.preventDefault();
        placing.mutate();
      }}
    >
      <ChoiceField
        label={probesText.via}
        hint={probesText.vias.find(({ value }) => value === via)?.hint}
        choices={probesText.vias}
        field={register("via")}
      />
      {probe && <Result probe={probe} />}
    </FormDialog>
  );
}

function Badge({ status }: { status: string }) {
  const { tone, icon } = LOOKS[status] ?? OTHER;
  return (
    <StatusBadge tone={tone} icon={icon} isSpinning={status === "running"}>
      {probesText.statuses[status] ?? wordFor(status)}
    </StatusBadge>
  );
}

function Result({ probe: { status, summary, links, created_at: at } }: { probe: Probe }) {
  return (
    <section aria-label={probesText.result} aria-live="polite" className="grid gap-2.5">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge status={status} />
        <span className="ml-auto text-xs text-ink-3">
          <RelativeTime at={at} />
        </span>
      </p>
      <p className="text-sm break-words">{summary ?? probesText.running}</p>
      {links.length > 0 && (
        <ol className="divide-y divide-line rounded-md border border-line">
          {links.map((link, at) => (
            <LinkRow key={at} link={link} />
          ))}
        </ol>
      )}
    </section>
  );
}

function LinkRow({
  link: { link, name, status, detail, found, expected, took_ms: ms },
}: {
  link: ProbeLink;
}) {
  return (
    <li className="grid gap-1 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-name break-all">
          {probesText.links[link] ?? wordFor(link)} {name}
        </span>
        <Badge status={status} />
        {ms !== null && <span className="ml-auto font-mono text-xs text-ink-3">{probesText.took(ms)}</span>}
      </div>
      <p className="text-xs break-words text-ink-2">{detail}</p>
      {found !== null && expected !== null && (
        <p className="text-xs break-all text-bad">{probesText.found(found, expected)}</p>
      )}
    </li>
  );
}
