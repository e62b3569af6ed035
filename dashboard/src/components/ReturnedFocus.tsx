import { useEffect, useState } from "react";

/** Returns the focus when an overlay closes. */
export function ReturnedFocus() {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Deferred: the page below cannot take the focus before.
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
      });
    },
    [before],
  );
  return null;
}
