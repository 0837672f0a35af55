import { editsBetween } from '#contract/edits-between.ts';

/** Domains of mail services that many people use; short ones resemble too many others. */
const mailDomains = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.fr',
  'yahoo.de',
  'ymail.com',
  'hotmail.com',
  'hotmail.co.uk',
  'hotmail.fr',
  'hotmail.de',
  'outlook.com',
  'outlook.de',
  'outlook.fr',
  'icloud.com',
  'proton.me',
  'protonmail.com',
  'mail.com',
  'email.com',
  'fastmail.com',
  'zoho.com',
  't-online.de',
  'freenet.de',
  'orange.fr',
  'libero.it',
  'yandex.com',
  'yandex.ru',
  'comcast.net',
];

/** @returns the address that was probably meant, if its domain is one letter from a known one; null otherwise */
export function meantAddress(address: string): string | null {
  const at = address.lastIndexOf('@');
  const domain = address
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (at < 1 || mailDomains.includes(domain)) return null;
  const meant = mailDomains.find((each) => editsBetween(domain, each) === 1);
  return meant === undefined ? null : `${address.slice(0, at)}@${meant}`;
}
