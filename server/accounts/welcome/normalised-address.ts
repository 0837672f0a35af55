/** Domains of one mail service, which ignores dots in the part before the `@`. */
const dotlessDomains = new Set(['gmail.com', 'googlemail.com']);

/**
 * The address that a mailbox has under all its spellings: in lower case, without `+tag`, and for Gmail without dots and
 * with one domain. Only for recognising a mailbox, not for sending mail.
 * @param email a valid address
 */
export function normalisedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  const whole = email.slice(0, at).toLowerCase();
  const plus = whole.indexOf('+');
  // `+tag@…` has nothing before the tag.
  const local = plus > 0 ? whole.slice(0, plus) : whole;
  if (!dotlessDomains.has(domain)) return `${local}@${domain}`;
  return `${local.replaceAll('.', '')}@gmail.com`;
}
