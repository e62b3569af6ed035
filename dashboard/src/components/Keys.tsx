/** Keys to press, as labelled on the keyboard. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className="inline-flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded border border-line bg-canvas px-1 text-center font-sans text-xs leading-5 text-ink-2"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

export const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
