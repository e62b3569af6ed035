import { useEffect, useState } from "react";

/** In something that lies over the page: when it is gone, the keyboard is where it was before. */
export function ReturnedFocus() {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Not at once: until then the page below takes no focus.
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
      });
    },
    [before],
  );
  return null;
}
