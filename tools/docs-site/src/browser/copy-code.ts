/** Only where the browser lets a page write to the clipboard. */
export function startCopying(): void {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll<HTMLElement>("div.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(block.querySelector("code")!.innerText.trimEnd()).then(() => {
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 2_000);
      });
    });
    block.append(button);
  }
}
