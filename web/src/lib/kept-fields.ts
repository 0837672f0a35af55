import { type FieldEntry, fillField } from './field-entries.ts';

/** How long the fields of a page may take to appear after a full load, in ms. */
const fieldsTimeoutMs = 15_000;

/**
 * Enters what was kept before a full load, once the fields are there and until somebody types.
 * @param kept what `keepFields` has stored
 */
export function enterKeptFields(kept: string): void {
  const { path, fields }: { path: string; fields: FieldEntry[] } = JSON.parse(kept);
  let remaining = path === location.pathname ? fields : [];
  const fillRemaining = () => {
    remaining = remaining.filter((each) => !fillField(document, each));
    if (remaining.length === 0) stop();
  };
  const observer = new MutationObserver(fillRemaining);
  const stop = () => {
    observer.disconnect();
    removeEventListener('keydown', stop);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  addEventListener('keydown', stop);
  setTimeout(stop, fieldsTimeoutMs);
  fillRemaining();
}
