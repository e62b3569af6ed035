export interface ErrorEntry {
  status: number;
  title: string;
  /** Whether the same request may succeed later without anyone changing anything. */
  retryable: boolean;
  /** Instruction for the reader of the docs. */
  remedy: string;
}

export function entry(status: number, title: string, remedy: string, retry?: "retry"): ErrorEntry {
  return { status, title, remedy, retryable: retry === "retry" };
}
