import type { ProfileRow } from '#shared/data/profiles/schema.ts';

/**
 * The name with which mails greet a seller. Empty until the address is confirmed: whoever signed up with it chose the name, and may
 * have written a text for the person who has the mailbox. Mails to an address that nobody has confirmed have no name at all.
 */
export function greetingName(profile: Pick<ProfileRow, 'full_name' | 'email_verified'> | null): string {
  return profile?.email_verified ? profile.full_name : '';
}
