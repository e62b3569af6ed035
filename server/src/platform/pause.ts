/** Until the time has ended or the signal says so, whichever comes first. */
export async function pause(ms: number, until: AbortSignal): Promise<void> {
  if (until.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      until.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    until.addEventListener("abort", end, { once: true });
  });
}
