/** What an image's health check asks: the given port and path of this machine, or whether the API is ready. */
const [place = "8080/readyz"] = process.argv.slice(2);
try {
  const answer = await fetch(`http://127.0.0.1:${place}`, { signal: AbortSignal.timeout(2_000) });
  process.exitCode = answer.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
