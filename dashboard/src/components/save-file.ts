/** Puts what the service streams, or what the page knows, into the browser's downloads. */
export async function saveFile(name: string, content: ReadableStream<Uint8Array> | string): Promise<void> {
  const blob = await new Response(content, { headers: { "content-type": "text/csv" } }).blob();
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken hold of it by then; at once would be too early for some.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
