/** How long the address of a saved file works, in ms: Safari reads it after the click, once it was allowed to. */
const addressMs = 60_000;

/** Saves a file that the page has, as a click on a link to it would. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), addressMs);
}

/** Downloads what is at an address, as a click on a link to it would. @param name of the file; by default the server's */
export function download(href: string, name = ''): void {
  const link = Object.assign(document.createElement('a'), { href, download: name, hidden: true });
  // In the document, so that a browser that may save nothing says so (useDownloadAdvice of web/src/app/shell.tsx).
  document.body.append(link);
  link.click();
  link.remove();
}
