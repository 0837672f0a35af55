import type { CheckedPhoto, PhotoWarning } from '#contract';

/** What checks photos: in this browser, and on the server. */
export interface Checks {
  /** @returns null if it cannot be checked here */
  inspect: (file: File) => Promise<{ warnings: readonly PhotoWarning[]; copy: string | null } | null>;
  /** @returns null if the server did not answer */
  ask: (copy: string, signal: AbortSignal) => Promise<CheckedPhoto | null>;
}

/** Copies that the server checks for this window at once: its line is short, and other sellers wait in it. */
const askedAtOnce = 2;

/**
 * Checks the photos of a batch, each file once: one after the other here, and at most {@link askedAtOnce} on the server. It is advice:
 * nothing waits for it. When the server says that it is busy, or gives no answer, it is not asked again for this batch.
 * @param onFound called with all warnings of a file so far
 */
export function createPhotoChecks(
  { inspect, ask }: Checks,
  onFound: (file: File, warnings: readonly PhotoWarning[]) => void,
) {
  const stop = new AbortController();
  const seen = new WeakSet<File>();
  const waiting: File[] = [];
  const copies: { file: File; copy: string; warnings: readonly PhotoWarning[] }[] = [];
  let [isInspecting, isBusy, asked] = [false, false, 0];

  async function inspectAll(): Promise<void> {
    if (isInspecting) return;
    isInspecting = true;
    for (let file = waiting.shift(); file && !stop.signal.aborted; file = waiting.shift()) {
      const found = await inspect(file).catch(() => null);
      if (found === null || stop.signal.aborted) continue;
      if (found.warnings.length > 0) onFound(file, found.warnings);
      if (found.copy === null || isBusy) continue;
      copies.push({ file, copy: found.copy, warnings: found.warnings });
      void askAll();
      // Copies are not piled up in memory: the next photo is opened when the server can take it.
      while (copies.length > 0 && !isBusy && !stop.signal.aborted) await answered();
    }
    isInspecting = false;
  }

  let wake = () => {};
  const answered = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  async function askAll(): Promise<void> {
    while (asked < askedAtOnce && !isBusy && !stop.signal.aborted) {
      const next = copies.shift();
      if (next === undefined) return;
      asked += 1;
      void ask(next.copy, stop.signal).then((checked) => {
        asked -= 1;
        if (stop.signal.aborted) return;
        if (!checked?.checked) {
          isBusy = true;
          copies.length = 0;
        } else if (checked.warnings.length > 0) onFound(next.file, [...next.warnings, ...checked.warnings]);
        wake();
        void askAll();
      });
    }
  }

  return {
    /** Checks those that were not checked yet. */
    add(files: Iterable<File>): void {
      for (const file of files) {
        if (seen.has(file)) continue;
        seen.add(file);
        waiting.push(file);
      }
      void inspectAll();
    },
    close: () => stop.abort(),
  };
}
