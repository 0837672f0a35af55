/** The fields of the card form, with buttons for test cards. */

import { type Html, html } from '../../html.ts';
import { type CardEntry, type CardField, type CardProblems, groupDigits, testCards } from './card-form.ts';

/** The name, label and autocomplete type of each field. */
const fields: Readonly<
  Record<
    CardField,
    { name: string; label: string; autocomplete: string; placeholder: string; numeric: boolean }
  >
> = {
  number: {
    name: 'cardNumber',
    label: 'Card number',
    autocomplete: 'cc-number',
    placeholder: '1234 1234 1234 1234',
    numeric: true,
  },
  expiry: {
    name: 'cardExpiry',
    label: 'Expiration (MM/YY)',
    autocomplete: 'cc-exp',
    placeholder: 'MM/YY',
    numeric: true,
  },
  cvc: { name: 'cardCvc', label: 'CVC', autocomplete: 'cc-csc', placeholder: 'CVC', numeric: true },
  name: {
    name: 'billingName',
    label: 'Name on card',
    autocomplete: 'cc-name',
    placeholder: '',
    numeric: false,
  },
};

/**
 * A labelled field with its error message.
 * @param field `focus` puts the cursor there when the page loads
 */
export function textField(field: {
  name: string;
  label: string;
  value: string;
  type?: 'text' | 'email';
  autocomplete: string;
  placeholder?: string;
  numeric?: boolean;
  problem?: string | undefined;
  focus?: boolean;
}): Html {
  const { name, problem } = field;
  return html`<div class="field">
<label for="${name}">${field.label}</label>
<input id="${name}" name="${name}" type="${field.type ?? 'text'}" value="${field.value}"
  autocomplete="${field.autocomplete}" placeholder="${field.placeholder ?? ''}" maxlength="200"
  ${field.numeric && html`inputmode="numeric"`}
  ${problem && html`aria-invalid="true" aria-describedby="${name}-problem"`} ${field.focus && html`autofocus`}>
${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
</div>`;
}

/** The four fields of a card. The first invalid one gets the cursor, unless `focusTaken`. */
export function cardFields(entry: CardEntry, problems: CardProblems, focusTaken = false): Html {
  const order: CardField[] = ['number', 'expiry', 'cvc', 'name'];
  const first = focusTaken ? undefined : order.find((field) => problems[field] !== undefined);
  const show = (field: CardField) =>
    textField({
      ...fields[field],
      value: entry[field],
      problem: problems[field],
      focus: field === first,
    });
  return html`${show('number')}
<div class="pair">${show('expiry')}${show('cvc')}</div>
${show('name')}`;
}

/** Buttons that fill in a test card. They submit the form, so that the other fields keep their content. */
export function testCardRow(): Html {
  return html`<fieldset class="test-cards">
<legend>Fill in a test card</legend>
<div class="test-card-grid">${testCards.map(
    ({ number, outcome }) =>
      html`<button class="test-card" name="fill" value="${number}"><strong>${outcome}</strong> <span>${groupDigits(number)}</span></button>`,
  )}</div>
</fieldset>`;
}

/** The button that the Enter key presses; otherwise that would be the first button, a test card. */
export function enterKeyButton(): Html {
  return html`<button class="visually-hidden" tabindex="-1" aria-hidden="true">Continue</button>`;
}
