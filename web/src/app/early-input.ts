type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What a visitor entered in a field before the app ran. */
interface EarlyInput {
  selector: string;
  property: 'value' | 'checked';
  entered: string | boolean;
}

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
  const inputs = new Map<string, EarlyInput>();
  return {
    remember(): void {
      const fields = [...root.querySelectorAll<Field>('input, textarea, select')];
      for (const input of fields.flatMap(findInput)) inputs.set(input.selector, input);
    },
    /** Enters what was remembered, as if typed. */
    enter(): void {
      for (const { selector, property, entered } of inputs.values()) {
        const field = root.querySelector<Field>(selector);
        if (!field) continue;
        // React ignores an event unless the value differs from the one that it knows, so its own setter is circumvented.
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), property)?.set?.call(field, entered);
        field.dispatchEvent(new Event(property === 'checked' ? 'click' : 'input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
      }
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

function findInput(field: Field): EarlyInput[] {
  if (field.name === '') return [];
  const selector = `[name="${field.name}"]`;
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)) {
    if (field.checked === field.defaultChecked) return [];
    const choice = `${selector}[value="${field.value}"]`;
    return [
      { selector: field.type === 'radio' ? choice : selector, property: 'checked', entered: field.checked },
    ];
  }
  const original = field instanceof HTMLSelectElement ? field.options[0]?.value : field.defaultValue;
  return field.value === original ? [] : [{ selector, property: 'value', entered: field.value }];
}
