import {
  Ban,
  CircleX,
  type LucideIcon,
  PhoneIncoming,
  PhoneMissed,
  PhoneOff,
  Timer,
  TriangleAlert,
} from "lucide-react";
import type { Tone } from "../components/StatusBadge.tsx";
import { wordFor } from "../components/shared-text.ts";
import { callsText } from "./calls-text.ts";

interface ResultLook {
  icon: LucideIcon;
  tone: Tone;
  look: string;
  word: string;
}

const { results } = callsText;
const LOOKS: Record<string, ResultLook> = {
  answered: { icon: PhoneIncoming, tone: "good", look: "", word: results.answered },
  busy: { icon: PhoneOff, tone: "plain", look: "text-ink-3", word: results.busy },
  no_answer: { icon: Timer, tone: "plain", look: "text-ink-3", word: results.no_answer },
  cancelled: { icon: PhoneMissed, tone: "plain", look: "text-ink-3", word: results.cancelled },
  rejected: { icon: Ban, tone: "warn", look: "font-name text-warn", word: results.rejected },
  failed: { icon: CircleX, tone: "bad", look: "font-name text-bad", word: results.failed },
};

/** Look of a result. New results of the service look like failed ones, with their own word. */
export function resultLook(result: string): ResultLook {
  return LOOKS[result] ?? { ...LOOKS["failed"]!, word: wordFor(result) };
}

interface CallResultProps {
  call: { result: string; reason: string | null; misrouted: boolean | null };
}

/** Result by icon and word. Only exceptions are coloured. */
export function CallResult({ call: { result, reason, misrouted } }: CallResultProps) {
  const { icon, tone, look, word } = resultLook(result);
  const Icon = misrouted ? TriangleAlert : icon;
  const why = reason ? (callsText.reasons[reason] ?? wordFor(reason)) : undefined;
  return (
    <span
      title={misrouted ? callsText.misroutedSays : why}
      className={`inline-flex items-center gap-1.5 align-top whitespace-nowrap ${misrouted ? "font-name text-warn" : look}`}
    >
      <Icon aria-hidden className={`size-3.5 shrink-0 ${tone === "good" && !misrouted ? "text-good" : ""}`} />
      {misrouted ? callsText.misrouted(word) : word}
    </span>
  );
}
