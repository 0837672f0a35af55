import { type FieldEntry, fillField, readFieldEntries } from '#web/lib/field-entries.ts';

declare global {
  /** Set by public/prepare.js, which holds back forms until the app can send them. */
  var earlySubmit: { form: string | null; hold: boolean };
}

/**
 * What a visitor, or a password manager, enters in a prerendered page before the app runs. The app begins with empty
 * fields, so it is remembered right before the app's first render and entered again right after. Remembering again adds what
 * was entered since: where something else has added elements to the page, React replaces it all, with its fields.
 */
export function createEarlyInput(root: HTMLElement) {
  const inputs = new Map<string, FieldEntry>();
  return {
    remember(): void {
      for (const input of readFieldEntries(root)) inputs.set(input.selector, input);
    },
    /** Enters what was remembered, as if typed. */
    enter(): void {
      for (const input of inputs.values()) fillField(root, input);
      inputs.clear();
    },
    /** Sends a form that was sent before the app ran. From now on, the app sends forms itself. */
    submit(): void {
      const { form } = earlySubmit;
      earlySubmit = { form: null, hold: false };
      if (form !== null) root.querySelector<HTMLFormElement>(form)?.requestSubmit();
    },
  };
}
