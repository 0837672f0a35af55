/**
 * Adds styles to the page as a constructed style sheet. The content security policy refuses `<style>` elements
 * (server/plugins/headers.ts).
 * @returns a function that removes them
 */
export function addStyles(css: string): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  };
}

/** @returns styles that are on the page for as long as anything uses them; the first to add them decides which */
export function createSharedStyles(): { add(css: string): void; remove(): void } {
  let uses = 0;
  let remove: (() => void) | undefined;
  return {
    add(css) {
      uses += 1;
      remove ??= addStyles(css);
    },
    remove() {
      uses -= 1;
      if (uses > 0) return;
      remove?.();
      remove = undefined;
    },
  };
}
