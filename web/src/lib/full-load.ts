declare global {
  /**
   * Set by public/prepare.js: loads the page at the present address anew, once for each release that it is of. The file
   * may be of another release than this code, so what it takes and gives must stay as it is.
   * @param before is waited for first
   * @returns a promise that resolves if the page stays
   */
  var loadAnew: ((before: () => Promise<unknown>) => Promise<void>) | undefined;
}

const tasks = new Set<() => unknown>();

/** Adds what must be done before a full load, such as saving what was entered. */
export function beforeFullLoad(task: () => unknown): void {
  tasks.add(task);
}

const prepare = () => Promise.allSettled([...tasks].map((task) => task()));

/** Loads the page anew. What was entered in its forms, and the studio's draft, are there afterwards. */
export async function reloadPage(): Promise<void> {
  await prepare();
  location.reload();
}

/**
 * Loads a part of the app: code, or a text. If it cannot be had, the page at the present address is loaded anew, once: the
 * release that this page is of may be gone (docs/decisions/0081-releases.md).
 * @throws the error of the import, when the page was loaded anew before, or nothing answers
 */
export async function loadPart<Part>(importPart: () => Promise<Part>): Promise<Part> {
  try {
    return await importPart();
  } catch (error) {
    await globalThis.loadAnew?.(prepare);
    throw error;
  }
}

export const keptFieldsKey = 'packshot-fields';

/** What `keepFields` has stored before this full load; null for nothing. */
export function takeKeptFields(): string | null {
  try {
    const kept = sessionStorage.getItem(keptFieldsKey);
    sessionStorage.removeItem(keptFieldsKey);
    return kept;
  } catch {
    return null;
  }
}
