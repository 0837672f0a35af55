/** Reads and validates the card form. */
import { type Html, html } from '../../html.ts';
import { passesLuhn } from '../billing/cards.ts';
import type { CardDetails } from '../views.ts';

/** The fields as typed. */
export interface CardEntry {
  number: string;
  expiry: string;
  cvc: string;
  name: string;
}

type CardField = keyof CardEntry;
export type CardProblems = Partial<Record<CardField, string>>;

/** A test card and what happens when it is used. */
interface TestCard {
  number: string;
  outcome: string;
}

export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', outcome: 'Succeeds' },
  { number: '4000000000000002', outcome: 'Is declined' },
  { number: '4000002500003155', outcome: 'Requires 3-D Secure' },
  { number: '4000000000000341', outcome: 'Is saved, then declined' },
];

export const emptyCardEntry: CardEntry = { number: '', expiry: '', cvc: '', name: '' };

/** Groups digits as on the card: 4-4-4-4, or 4-6-5 for American Express. */
export function groupDigits(digits: string): string {
  const groups = /^3[47]/.test(digits)
    ? /^(\d{0,4})(\d{0,6})(\d{0,5})/
    : /^(\d{0,4})(\d{0,4})(\d{0,4})(\d{0,7})/;
  return (groups.exec(digits)?.slice(1) ?? []).filter((group) => group !== '').join(' ');
}

/**
 * The fields of a test card. `now` is in Unix seconds; the card expires three years later, so that it stays valid
 * when the clock is moved by a year.
 */
export function fillTestCard(number: string, name: string, now: number): CardEntry {
  const year = new Date(now * 1000).getUTCFullYear() + 3;
  return { number: groupDigits(number), expiry: `12/${String(year).slice(-2)}`, cvc: '123', name };
}

/** Reads the fields of a submitted form; missing ones are empty. */
export function readCardEntry(form: Readonly<Record<string, string>>): CardEntry {
  const field = (name: string) => (form[name] ?? '').trim().slice(0, 200);
  return {
    number: field('cardNumber'),
    expiry: field('cardExpiry'),
    cvc: field('cardCvc'),
    name: field('billingName'),
  };
}

function numberProblem(digits: string): string | undefined {
  const length = /^3[47]/.test(digits) ? 15 : 16;
  if (!/^\d*$/.test(digits)) return 'Your card number is invalid.';
  if (digits.length < length) return 'Your card number is incomplete.';
  if (digits.length > 19 || !passesLuhn(digits)) return 'Your card number is invalid.';
  return undefined;
}

/** Parses MM/YY, MM / YYYY or MMYY; undefined for anything else. */
function readExpiry(text: string): { month: number; year: number } | undefined {
  const found = /^(\d{1,2})\s*\/\s*(\d{2}|\d{4})$/.exec(text) ?? /^(\d{2})(\d{2}|\d{4})$/.exec(text);
  if (found === null) return undefined;
  const year = Number(found[2]);
  return { month: Number(found[1]), year: year < 100 ? 2000 + year : year };
}

function expiryProblem(text: string, now: number): string | undefined {
  const expiry = readExpiry(text);
  if (expiry === undefined) return "Your card's expiration date is incomplete.";
  const today = new Date(now * 1000);
  const months = (expiry.year - today.getUTCFullYear()) * 12 + expiry.month - 1 - today.getUTCMonth();
  if (expiry.month < 1 || expiry.month > 12) return "Your card's expiration date is invalid.";
  // A card is valid until the last day of its month.
  if (months < 0) return "Your card's expiration date is in the past.";
  return months > 50 * 12 ? "Your card's expiration year is invalid." : undefined;
}

/**
 * The validated card (number with digits only, year with four digits), or an error message for each field, in
 * Stripe's wording. `now` is in Unix seconds.
 */
export function checkCard(
  entry: CardEntry,
  now: number,
): { card: CardDetails; problems?: undefined } | { card?: undefined; problems: CardProblems } {
  const digits = entry.number.replace(/[\s-]/g, '');
  const cvcLength = /^3[47]/.test(digits) ? 4 : 3;
  const found: Record<CardField, string | undefined> = {
    number: numberProblem(digits),
    expiry: expiryProblem(entry.expiry, now),
    cvc: new RegExp(`^\\d{${cvcLength}}$`).test(entry.cvc)
      ? undefined
      : "Your card's security code is incomplete.",
    name: entry.name === '' ? 'Enter the name on the card.' : undefined,
  };
  const problems = Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined));
  const expiry = readExpiry(entry.expiry);
  if (expiry === undefined || Object.keys(problems).length > 0) return { problems };
  return {
    card: {
      cardNumber: digits,
      expMonth: expiry.month,
      expYear: expiry.year,
      name: entry.name,
    },
  };
}

/** The card of a submitted form, or the fields to show again: filled in by a test card's button, or with their problems. */
export function readCardForm(
  form: Readonly<Record<string, string>>,
  customer: { name: string | null } | undefined,
  now: number,
): { typed: CardEntry } & ({ card: CardDetails } | { card?: undefined; problems: CardProblems }) {
  const typed = readCardEntry(form);
  const filled = testCards.find(({ number }) => number === form.fill);
  if (filled === undefined) return { typed, ...checkCard(typed, now) };
  const name = typed.name || customer?.name || 'Test Buyer';
  return { typed: fillTestCard(filled.number, name, now), problems: {} };
}

/** The name, label, autocomplete type and placeholder of each field. */
const fields: Readonly<Record<CardField, readonly [string, string, string, string]>> = {
  number: ['cardNumber', 'Card number', 'cc-number', '1234 1234 1234 1234'],
  expiry: ['cardExpiry', 'Expiration (MM/YY)', 'cc-exp', 'MM/YY'],
  cvc: ['cardCvc', 'CVC', 'cc-csc', 'CVC'],
  name: ['billingName', 'Name on card', 'cc-name', ''],
};

/** The four fields of a card, each with its error message. The first invalid one gets the cursor. */
export function cardFields(entry: CardEntry, problems: CardProblems): Html {
  const order = ['number', 'expiry', 'cvc', 'name'] as const;
  const first = order.find((field) => problems[field] !== undefined);
  return html`${order.map((field) => {
    const [name, label, autocomplete, placeholder] = fields[field];
    const problem = problems[field];
    return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${entry[field]}" autocomplete="${autocomplete}"
  placeholder="${placeholder}" maxlength="200" ${field !== 'name' && html`inputmode="numeric"`}
  ${problem && html`aria-invalid="true" aria-describedby="${name}-problem"`} ${field === first && html`autofocus`}>
${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
</div>`;
  })}`;
}

/**
 * Buttons that fill in a test card. They submit the form, so that the other fields keep their content, and stand behind its
 * own button, which the Enter key presses because it is the first.
 */
export function testCardRow(): Html {
  return html`<fieldset class="test-cards"><legend>Fill in a test card</legend>${testCards.map(
    ({ number, outcome }) =>
      html`<button name="fill" value="${number}">${outcome} <span class="soft small">${groupDigits(number)}</span></button>`,
  )}</fieldset>`;
}
