type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What somebody entered in a field. */
export interface FieldEntry {
  selector: string;
  property: 'value' | 'checked';
  entered: string | boolean;
}

/**
 * What was entered in the fields of an element that have a name.
 * @param running whether the app runs: React keeps the default of a field that it controls equal to its value
 */
export function readFieldEntries(root: ParentNode, { running = false } = {}): FieldEntry[] {
  const fields = [...root.querySelectorAll<Field>('input, textarea, select')];
  return fields.flatMap((field) => enteredInField(field, running));
}

function enteredInField(field: Field, running: boolean): FieldEntry[] {
  if (field.name === '') return [];
  const selector = `[name="${field.name}"]`;
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)) {
    if (field.checked === field.defaultChecked) return [];
    const choice = `${selector}[value="${field.value}"]`;
    return [
      { selector: field.type === 'radio' ? choice : selector, property: 'checked', entered: field.checked },
    ];
  }
  const original =
    field instanceof HTMLSelectElement ? field.options[0]?.value : running ? '' : field.defaultValue;
  return field.value === original ? [] : [{ selector, property: 'value', entered: field.value }];
}

/** Enters a value as if typed. @returns false if there is no such field */
export function fillField(root: ParentNode, { selector, property, entered }: FieldEntry): boolean {
  const field = root.querySelector<Field>(selector);
  if (!field) return false;
  // React ignores an event unless the value differs from the one that it knows, so its own setter is circumvented.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), property)?.set?.call(field, entered);
  field.dispatchEvent(new Event(property === 'checked' ? 'click' : 'input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}
