/** Saves a stream or a string as a download of the browser. */
export async function saveFile(
  name: string,
  content: ReadableStream<Uint8Array> | string,
  type = "text/csv",
): Promise<void> {
  const blob = await new Response(content, { headers: { "content-type": type } }).blob();
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers have not read the URL yet if it is revoked at once.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
