import { useEffect } from "react";
import { shellText } from "./shell-text.ts";

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = shellText.documentTitle(title);
  }, [title]);
}
