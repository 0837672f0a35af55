/** Mails about API keys. */

import { dateLabel } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** After an API key was made. @param data may: what it may do, in words; address: the IP address that made it */
export function apiKeyMade(data: {
  fullName: string;
  name: string;
  may: readonly string[];
  at: Date;
  device: string;
  address: string;
  apiKeysLink: string;
}): MailContent {
  return composeMail({
    subject: 'An API key was made for your account',
    heading: 'An API key was made for your account',
    fullName: data.fullName,
    blocks: [
      paragraph('Programs that have this key can use your Packshot account without your password.'),
      facts(
        ['Key', oneLine(data.name)],
        ['It may', data.may.join('; ')],
        ['Made', dateLabel(data.at)],
        ['Device', oneLine(data.device)],
        ['IP address', oneLine(data.address)],
      ),
      button('See my API keys', data.apiKeysLink),
      smallPrint(
        "If this wasn't you, reset your password now. That ends every session and revokes API keys that were made lately.",
      ),
    ],
  });
}
