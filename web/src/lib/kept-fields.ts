import { type Entered, enter } from './entered.ts';

/** How long the fields of a page may take to appear after a full load, in ms. */
const appearMs = 15_000;

/**
 * Enters what was kept before a full load, once the fields are there and until somebody types.
 * @param kept what `keepFields` has stored
 */
export function enterKeptFields(kept: string): void {
  const { path, fields }: { path: string; fields: Entered[] } = JSON.parse(kept);
  let left = path === location.pathname ? fields : [];
  const enterThose = () => {
    left = left.filter((each) => !enter(document, each));
    if (left.length === 0) stop();
  };
  const observer = new MutationObserver(enterThose);
  const stop = () => {
    observer.disconnect();
    removeEventListener('keydown', stop);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  addEventListener('keydown', stop);
  setTimeout(stop, appearMs);
  enterThose();
}
