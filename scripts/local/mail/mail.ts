/** Parses and represents received mails. */
import { type AddressObject, simpleParser } from 'mailparser';

/** A received mail as the API returns it. */
export interface Mail {
  /** Increases with each mail, also across restarts and deletions. */
  id: number;
  /** The recipients of the envelope, including blind copies. */
  to: string[];
  /** The decoded From header: `Packshot <hello@packshot.example>`. */
  from: string;
  subject: string;
  /** The plain text part; empty when there is none. */
  text: string;
  /** The HTML part; empty when there is none. */
  html: string;
  /** All headers by lower-case name, unfolded but not decoded, in their original order. */
  headers: Record<string, string[]>;
  /** Time of arrival: ISO 8601, UTC. */
  at: string;
}

/** The fields that come from the message itself; the others come from its delivery. */
export type MessageParts = Pick<Mail, 'from' | 'subject' | 'text' | 'html' | 'headers'>;

/** Parses a message. It never fails: missing or malformed parts are empty. */
export async function readMessage(source: Buffer): Promise<MessageParts> {
  const message = await simpleParser(source, {
    // Each part as it was sent; none is derived from the other.
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

/** A file in a mail. */
export interface MailAttachment {
  fileName: string;
  /** Its declared media type. */
  mediaType: string;
  content: Buffer;
}

/** The files in a message, in their order. */
export async function readAttachments(source: Buffer): Promise<MailAttachment[]> {
  const { attachments } = await simpleParser(source);
  return attachments.map(({ filename, contentType, content }, index) => ({
    fileName: filename ?? `attachment-${index + 1}`,
    mediaType: contentType,
    content,
  }));
}

function addressText(from: AddressObject | undefined): string {
  return (from?.value ?? [])
    .map(({ name, address = '' }) => (name === '' ? address : `${name} <${address}>`))
    .join(', ');
}
