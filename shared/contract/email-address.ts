import { z } from 'zod';
import { limits } from './limits.ts';

const invalid = 'Please enter a valid email address';
const localPartUnsupported =
  "We can't send email to addresses with letters such as “ü” before the @. Please use another address";

/** Characters of the part before the `@` (RFC 5322, 3.2.3). */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/** A host name with at least two labels (RFC 1035, 2.3.1); the last one is no number. */
const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/** Characters of the full-width block, which East Asian keyboards give, and how far they are from ASCII. */
const fullWidth = /[\uff01-\uff5e]/g;
const fullWidthOffset = 0xff01 - 0x21;

/**
 * An address as it is stored, compared and sent to: trimmed, in lower case, and its domain in ASCII (`xn--…`). What is not an
 * address is returned as it is, apart from that.
 */
export function asciiAddress(given: string): string {
  const text = given.trim();
  // It cannot become shorter. Not read any further, because a request can be long.
  if (text.length > limits.emailCharacters) return text;
  const address = text
    // Invisible characters that come along when an address is copied.
    .replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')
    .replace(fullWidth, (character) => String.fromCharCode(character.charCodeAt(0) - fullWidthOffset))
    .toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = asciiDomain(address.slice(at + 1));
  return at === -1 || domain === null ? address : `${address.slice(0, at)}@${domain}`;
}

/** @returns null for what no host name can be */
function asciiDomain(domain: string): string | null {
  // Domains in ASCII stay as they are: `new URL` would read some of them as numbers.
  if (/^\p{ASCII}*$/u.test(domain)) return domain;
  // What `new URL` would not read as a host alone, and hyphens that would no longer be at an end.
  if (/[^\P{ASCII}a-z0-9.-]|(?:^|[.。｡])-|-(?:$|[.。｡])/u.test(domain)) return null;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return null;
  }
}

/** An email address, in its stored form: see {@link asciiAddress}. The part before the `@` must be in ASCII. */
export const emailSchema = z
  .string({ error: invalid })
  .overwrite(asciiAddress)
  .superRefine((address, context) => {
    const message = problemOf(address);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .meta({ format: 'email' });

function problemOf(address: string): string | null {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || address.length > limits.emailCharacters || !hostName.test(domain)) return invalid;
  if (localPart.test(local)) return null;
  // Mailboxes that need SMTPUTF8 (RFC 6531), which few mail servers have.
  return /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u.test(local) && /\P{ASCII}/u.test(local)
    ? localPartUnsupported
    : invalid;
}
