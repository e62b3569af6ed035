import { KeyRound, Server, ShieldCheck, User } from "lucide-react";

const LOOKS = {
  api_key: { icon: KeyRound, look: "bg-select text-ink-2" },
  operator: { icon: ShieldCheck, look: "bg-warn-soft text-warn" },
  system: { icon: Server, look: "bg-warn-soft text-warn" },
  nobody: { icon: User, look: "bg-select text-ink-2" },
} as const;

/** Initials of a user, or an icon for other callers. The name is next to it. */
export function Avatar({ kind, name }: { kind: string; name: string | null }) {
  const other = LOOKS[kind as keyof typeof LOOKS];
  const place = "grid size-5.5 shrink-0 place-items-center rounded-full text-2xs font-semibold";
  if (!other)
    return (
      <span
        aria-hidden
        data-initials={initialsOf(name ?? "?")}
        className={`${place} bg-accent-soft text-accent before:content-[attr(data-initials)]`}
      />
    );
  const Icon = other.icon;
  return (
    <span aria-hidden className={`${place} ${other.look}`}>
      <Icon className="size-3" />
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => word[0]!.toUpperCase())
    .join("");
}
