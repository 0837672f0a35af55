/** Sends mails over SMTP. */
import { createTransport, type NodemailerError } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { asciiAddress } from '#contract';
import type { MailContent } from '#shared/mail/layout.ts';
import type { Config } from '#shared/platform/config.ts';
import { parseSmtpUrl } from '#shared/platform/smtp-url.ts';

/** A mail to one recipient. */
export interface OutgoingMail extends MailContent {
  /** The same for every attempt to deliver this mail. The Message-ID is derived from it, so duplicates can be detected. */
  id: string;
  /** One address, without a name. */
  to: string;
  /** Where answers go: one address; our support without one. */
  replyTo?: string | null;
  /** Whether mailboxes show it as important. */
  important?: boolean;
  attachment?: { file_name: string; content_type: string; content: Buffer } | null;
  /** The address at which mailboxes turn mails of this kind off; absent for those that always come. */
  unsubscribe?: string | null;
}

/** A connection to a mail server. */
export interface MailTransport {
  /**
   * Sends a mail in a single attempt. Retrying is up to the caller.
   * @returns the Message-ID
   * @throws MailError
   */
  send(mail: OutgoingMail): Promise<{ messageId: string }>;
  /** Checks that the server can be reached and accepts our credentials. @throws MailError */
  verify(): Promise<void>;
  /** Closes the connections after the mails being sent. */
  close(): void;
}

/** A mail that was not accepted. */
export class MailError extends Error {
  override name = 'MailError';
  /** True if a retry cannot succeed: refused with 5xx, or an invalid address. */
  readonly permanent: boolean;
  /** The server's SMTP reply code, if any. */
  readonly responseCode: number | undefined;
  /** Whether the server refused the recipient. */
  readonly aboutRecipient: boolean;

  constructor(
    message: string,
    details: { permanent: boolean; responseCode?: number; aboutRecipient?: boolean; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.permanent = details.permanent;
    this.responseCode = details.responseCode;
    this.aboutRecipient = details.aboutRecipient ?? false;
  }
}

/**
 * Creates a transport, which connects with the first mail.
 * @param options.smtpUrl `SMTP_URL`
 * @param options.requireTls whether nothing is sent without TLS; otherwise it is used where the server offers it
 * @param options.from the sender: `Packshot <hello@example.com>`
 * @param options.supportAddress where answers go unless a mail says otherwise
 * @throws TypeError when `from` has no address, SmtpUrlError
 */
export function createMailTransport(
  options: Pick<Config['mail'], 'smtpUrl' | 'requireTls' | 'from' | 'supportAddress'>,
): MailTransport {
  const domain = domainOf(options.from);
  const { ca, ...server } = parseSmtpUrl(options.smtpUrl);
  const transport = createTransport({
    ...server,
    requireTLS: options.requireTls,
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    pool: true,
    maxConnections: 5,
    // nodemailer would resend on its own after a broken connection; the caller counts the attempts.
    maxRequeues: 0,
    // Shorter than the idle timeout of servers, so that no mail goes to a connection that is just being closed.
    idleTimeout: 30_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send({ id, to, subject, text, html, replyTo, important, attachment, unsubscribe }) {
      const messageId = `<${messageIdPart(id)}@${domain}>`;
      try {
        await transport.sendMail({
          messageId,
          from: options.from,
          to: { name: '', address: oneAddress(to) },
          replyTo: { name: '', address: oneAddress(replyTo ?? options.supportAddress) },
          subject: subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
          text,
          html,
          ...(important && { priority: 'high' as const }),
          ...(attachment && { attachments: [toAttachment(attachment)] }),
          // RFC 3834: asks for no automatic replies.
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribe && unsubscribeHeaders(unsubscribe)),
          },
        });
      } catch (error) {
        throw toMailError(error);
      }
      return { messageId };
    },
    async verify() {
      try {
        await transport.verify();
      } catch (error) {
        throw toMailError(error);
      }
    },
    close: () => transport.close(),
  };
}

/** For the button of mailboxes. One click is only for https, whose address nobody on the way can read (RFC 8058). */
function unsubscribeHeaders(address: string) {
  return {
    'List-Unsubscribe': { prepared: true, value: `<${address}>` },
    ...(address.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

function toAttachment({ file_name, content_type, content }: NonNullable<OutgoingMail['attachment']>) {
  return { filename: file_name, contentType: content_type, content };
}

function domainOf(from: string): string {
  const [sender, ...others] = addressparser(from, { flatten: true });
  const domain = /^[^\s@]+@([^\s@]+)$/.exec(asciiAddress(sender?.address ?? ''))?.[1];
  if (domain === undefined || others.length > 0) {
    throw new TypeError(`"${from}" is not one address that mails can come from`);
  }
  return domain;
}

/** Encodes an id injectively with the characters of a Message-ID (RFC 5322, dot-atom). */
function messageIdPart(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/gu, (character) => `=${character.codePointAt(0)!.toString(16)}=`);
}

/** Addresses are validated before; this is a second line of defence against header injection. */
function oneAddress(address: string): string {
  if (/^[^\s\p{C}<>,;:"()[\]\\@]+@[^\s\p{C}<>,;:"()\\@]+$/u.test(address)) return address;
  throw new MailError('The address is not one mail address', { permanent: true });
}

/**
 * A 5xx is permanent only if it is about this mail. A 5xx about our credentials or our sender address is a configuration
 * problem: the mail waits until it is fixed.
 */
function toMailError(error: unknown): MailError {
  if (error instanceof MailError) return error;
  const { message, code, command, permanent, responseCode } = error as NodemailerError;
  const aboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const aboutUs = command === 'MAIL FROM' && responseCode !== undefined && responseCode !== messageTooLarge;
  return new MailError(message + hintAt(code, command, error), {
    permanent: aboutThisMail && !aboutUs && (permanent ?? true),
    ...(responseCode === undefined ? {} : { responseCode }),
    aboutRecipient: command === 'RCPT TO',
    cause: error,
  });
}

/** What an operator can do about an error of TLS, as the end of its message. */
function hintAt(code: string | undefined, command: string | undefined, error: unknown): string {
  const { message, reason } = error as Error & { reason?: string };
  if (code === 'ETLS' && command === 'STARTTLS' && !/initiating TLS/.test(message)) {
    return '. The mail server of SMTP_URL offers no STARTTLS, so nothing was sent: use smtps://, or set ALLOW_PLAIN_SMTP=true for a relay on the same host';
  }
  if (!/certificate|altnames/i.test(`${message} ${reason ?? ''}`)) return '';
  return ". The certificate of SMTP_URL's server was not accepted: use the name that it is for, or name an authority of your own with ?ca=";
}

/** Message too large: the only permanent reply to MAIL FROM that is about the mail (RFC 1870). */
const messageTooLarge = 552;
