import { LoaderCircle } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

const LOOKS = {
  primary: "bg-accent-fill text-accent-ink shadow-xs hover:brightness-110 active:brightness-95",
  plain: "border border-line-2 bg-raised text-ink shadow-xs hover:bg-hover",
  quiet: "text-ink-2 hover:bg-hover hover:text-ink",
  danger: "bg-bad text-canvas shadow-xs hover:brightness-110",
};

const SIZES = {
  small: "h-7 gap-1.5 rounded-md px-2.5 text-sm pointer-coarse:h-11",
  normal: "h-8 gap-1.5 rounded-md px-3 text-sm pointer-coarse:h-11",
  icon: "size-7 rounded-md pointer-coarse:size-11",
};

export interface ButtonProps extends ComponentProps<"button"> {
  look?: keyof typeof LOOKS;
  size?: keyof typeof SIZES;
  /** If true, the button keeps its width and ignores clicks. */
  isPending?: boolean;
  icon?: ReactNode;
}

/** Classes for links that look like buttons. */
export function buttonClass(look: keyof typeof LOOKS = "plain", size: keyof typeof SIZES = "normal"): string {
  return `inline-flex shrink-0 items-center justify-center font-medium whitespace-nowrap transition-colors select-none disabled:opacity-50 ${LOOKS[look]} ${SIZES[size]}`;
}

export function Button({
  look = "plain",
  size = "normal",
  isPending = false,
  icon,
  children,
  className = "",
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // Not disabled while it is pending: that would take the keyboard focus away.
      onClick={isPending ? (event) => event.preventDefault() : onClick}
      className={`${buttonClass(look, size)} aria-disabled:cursor-default aria-disabled:opacity-50 ${className}`}
      aria-busy={isPending || undefined}
      aria-disabled={isPending || undefined}
    >
      {isPending ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
      {children}
    </button>
  );
}
