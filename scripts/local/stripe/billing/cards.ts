/** Stripe's test card numbers and their behaviour. */
/** Why a card was declined. `code` and `declineCode` are Stripe's. */
export interface Decline {
  code: string;
  declineCode: string | null;
  message: string;
}

/** What happens when a card is saved and when it is charged. */
interface Behaviour {
  brand: 'visa' | 'mastercard' | 'amex';
  /** When the cardholder must authenticate: once, when the card is saved, or for every payment. */
  challenge?: 'once' | 'always';
  /** The card is declined when it is saved. */
  saving?: Decline;
  charging?: Decline;
  /** A bank debit: the money arrives days after the payment. */
  debit?: true;
}

/** Stripe's test bank accounts, from which payments are debited: the second one has no money when it is. */
export const testBankAccount = '000123456789';
const emptyBankAccount = '000222222227';

const declined = (declineCode: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  declineCode,
  message,
});
const refused = (decline: Decline): Behaviour => ({ brand: 'visa', saving: decline, charging: decline });

const insufficientFunds = declined('insufficient_funds', 'Your card has insufficient funds.');

const behaviours: Record<string, Behaviour> = {
  '4242424242424242': { brand: 'visa' },
  [testBankAccount]: { brand: 'visa', debit: true },
  [emptyBankAccount]: { brand: 'visa', debit: true, charging: insufficientFunds },
  '5555555555554444': { brand: 'mastercard' },
  '378282246310005': { brand: 'amex' },
  '4000002500003155': { brand: 'visa', challenge: 'once' },
  '4000002760003184': { brand: 'visa', challenge: 'always' },
  '4000008260003178': { brand: 'visa', challenge: 'once', charging: insufficientFunds },
  '4000000000000341': { brand: 'visa', charging: declined('generic_decline') },
  '4000000000000002': refused(declined('generic_decline')),
  '4000000000009995': refused(insufficientFunds),
  '4000000000000069': refused({
    code: 'expired_card',
    declineCode: 'expired_card',
    message: 'Your card has expired.',
  }),
};

/** Predefined payment methods of Stripe's test mode, and their card numbers. */
export const predefinedCards: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_chargeCustomerFail: '4000000000000341',
};

/** The behaviour of a card number; a number that is not a test card is declined. */
export function behaviourOf(number: string): Behaviour {
  return (
    behaviours[number] ??
    refused(
      declined(
        'test_mode_live_card',
        'Your card was declined. This is a test server: use a test card such as 4242 4242 4242 4242.',
      ),
    )
  );
}

/** The digits of a number as typed. */
export function digitsOf(number: string): string {
  return number.replaceAll(/[\s-]/g, '');
}

/** Verifies the check digit of a card number (Luhn, ISO/IEC 7812). */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
