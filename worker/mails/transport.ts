/** Sends mails over SMTP. */
import { createTransport, type NodemailerError } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import type { MailContent } from '#shared/mail/layout.ts';

/** One mail to one person. */
export interface OutgoingMail extends MailContent {
  /** The same for every attempt to deliver this mail: its Message-ID comes from it, so a second copy is known as one. */
  id: string;
  /** One address, without a name. */
  to: string;
}

/** A connection to a mail server. */
export interface MailTransport {
  /**
   * Hands a mail to the server, in one attempt: trying again is the caller's, who knows for how long it makes sense.
   * @returns the Message-ID
   * @throws MailError
   */
  send(mail: OutgoingMail): Promise<{ messageId: string }>;
  /** Whether the server can be reached and takes our name and password. @throws MailError when not */
  verify(): Promise<void>;
  /** Lets mails that are under way end, and closes the connections. */
  close(): void;
}

/** A mail that was not taken. */
export class MailError extends Error {
  override name = 'MailError';
  /** True when this mail will never be taken (refused with 5xx, or its address is none); false when trying again makes sense. */
  readonly permanent: boolean;
  /** The server's SMTP reply code, when it gave one. */
  readonly responseCode: number | undefined;

  constructor(message: string, details: { permanent: boolean; responseCode?: number; cause?: unknown }) {
    super(message, { cause: details.cause });
    this.permanent = details.permanent;
    this.responseCode = details.responseCode;
  }
}

/**
 * Makes a transport; it connects with the first mail.
 * @param options.smtpUrl `smtp://` or `smtps://`, with name and password where the server asks for them
 * @param options.from who the mails come from: `Packshot <hello@example.com>`
 * @throws TypeError when `from` has no address
 */
export function createMailTransport(options: { smtpUrl: string; from: string }): MailTransport {
  const domain = domainOf(options.from);
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: 5,
    // nodemailer would send again by itself when a connection breaks; the caller counts the attempts.
    maxRequeues: 0,
    // Below the time after which servers end idle connections, which could just then be given a mail.
    idleTimeout: 30_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send({ id, to, subject, text, html }) {
      const messageId = `<${messageIdPart(id)}@${domain}>`;
      try {
        await transport.sendMail({
          messageId,
          from: options.from,
          to: { name: '', address: oneAddress(to) },
          subject: subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
          text,
          html,
          // RFC 3834: nobody is away for us, and no robot answers.
          headers: { 'Auto-Submitted': 'auto-generated' },
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

function domainOf(from: string): string {
  const [sender, ...others] = addressparser(from, { flatten: true });
  const domain = /^[^\s@]+@([^\s@]+)$/.exec(sender?.address ?? '')?.[1];
  if (domain === undefined || others.length > 0) {
    throw new TypeError(`"${from}" is not one address that mails can come from`);
  }
  return domain;
}

/** The id in characters that a Message-ID may have (RFC 5322, dot-atom); different ids stay different. */
function messageIdPart(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/gu, (character) => `=${character.codePointAt(0)!.toString(16)}=`);
}

/** Addresses come validated; one that could add a header or a recipient is refused all the same. */
function oneAddress(to: string): string {
  if (/^[^\s\p{C}<>,;:"()[\]\\@]+@[^\s\p{C}<>,;:"()\\@]+$/u.test(to)) return to;
  throw new MailError('The recipient is not one mail address', { permanent: true });
}

/**
 * A 5xx is permanent only as the answer to this mail. The same class for a wrong password of ours, or for our address as
 * the sender, is to be mended while the mail waits.
 */
function toMailError(error: unknown): MailError {
  if (error instanceof MailError) return error;
  const { message, code, command, permanent, responseCode } = error as NodemailerError;
  const aboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const aboutUs = command === 'MAIL FROM' && responseCode !== undefined && responseCode !== messageTooLarge;
  return new MailError(message, {
    permanent: aboutThisMail && !aboutUs && (permanent ?? true),
    ...(responseCode === undefined ? {} : { responseCode }),
    cause: error,
  });
}

/** The one permanent answer to MAIL FROM that is about the mail (RFC 1870). */
const messageTooLarge = 552;
