/** A mail as the local mail service keeps and shows it. */
import { type AddressObject, simpleParser } from 'mailparser';

/** A mail that has come in, as the API gives it. */
export interface Mail {
  /** Grows with each mail, also over a restart and over deletions. */
  id: number;
  /** Addresses that it was delivered to, as the sender's program named them (the envelope, so blind copies too). */
  to: string[];
  /** The From header, decoded: `Packshot <hello@packshot.example>`. */
  from: string;
  subject: string;
  /** The plain text part; empty when the mail has none. */
  text: string;
  /** The HTML part; empty when the mail has none. */
  html: string;
  /** Every header by its name in lower case, unfolded but not decoded, in the order they came. */
  headers: Record<string, string[]>;
  /** When it came: ISO 8601, UTC. */
  at: string;
}

/** What is read out of a message; the rest of a `Mail` comes from its delivery. */
export type MessageParts = Pick<Mail, 'from' | 'subject' | 'text' | 'html' | 'headers'>;

/** Reads a message as it came over SMTP. Anything can be read: what is not there or is broken comes out empty. */
export async function readMessage(source: Buffer): Promise<MessageParts> {
  const message = await simpleParser(source, {
    // The parts as they were sent: nothing is derived from the other part.
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
  });
  const headers: Record<string, string[]> = Object.create(null);
  for (const { key, line } of message.headerLines) {
    const value = line.slice(line.indexOf(':') + 1).replace(/\r?\n(?=[ \t])/g, '');
    headers[key] = [...(headers[key] ?? []), value.trim()];
  }
  return {
    from: addressText(message.from),
    subject: message.subject ?? '',
    text: message.text ?? '',
    html: message.html === false ? '' : (message.html ?? ''),
    headers,
  };
}

function addressText(from: AddressObject | undefined): string {
  return (from?.value ?? [])
    .map(({ name, address = '' }) => (name === '' ? address : `${name} <${address}>`))
    .join(', ');
}
