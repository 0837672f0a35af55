import { readFieldEntries } from './field-entries.ts';
import { keptFieldsKey } from './full-load.ts';

/** The longest time that a seller waits until something is written, in ms. */
const writeTimeoutMs = 3_000;

/** Saves the open form; null while none is open. It resolves when everything is written. */
let saveOpenForm: (() => Promise<unknown>) | null = null;
const uploads = new Set<Promise<unknown>>();

/** Sets how the open form is saved. @returns removes it again */
export function setFormSaver(save: () => Promise<unknown>): () => void {
  saveOpenForm = save;
  return () => {
    if (saveOpenForm === save) saveOpenForm = null;
  };
}

/** Resolves when something is written, or takes too long. */
export async function waitForWrite(writing: Promise<unknown> | undefined): Promise<void> {
  const tooLong = new Promise((resolve) => setTimeout(resolve, writeTimeoutMs));
  await Promise.race([writing, tooLong]);
}

/** Call before the page is left for another site: resolves when the draft is written, or takes too long. */
export async function saveBeforeLeaving(): Promise<void> {
  await waitForWrite(saveOpenForm?.().catch(() => {}));
}

/** Has a full load wait for an upload. @returns the upload */
export function trackUpload<Value>(upload: Promise<Value>): Promise<Value> {
  uploads.add(upload);
  const ended = () => uploads.delete(upload);
  upload.then(ended, ended);
  return upload;
}

/** Resolves when no upload is in progress. */
export async function untilUploaded(): Promise<void> {
  while (uploads.size > 0) await Promise.allSettled(uploads);
}

/** Keeps what was entered in this page for after its full load: no passwords, codes or files. */
export function keepFields(): void {
  const secret = 'input:is([type=password],[type=file],[type=hidden],[autocomplete=one-time-code])';
  const fields = readFieldEntries(document, { running: true }).filter(
    ({ selector }) => !document.querySelector(selector)?.matches(secret),
  );
  if (fields.length === 0) return;
  try {
    sessionStorage.setItem(keptFieldsKey, JSON.stringify({ path: location.pathname, fields }));
  } catch {
    // Storage is blocked or full.
  }
}
