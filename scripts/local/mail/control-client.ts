/** Typed client of the local mail server, for tests and scripts. */
import type { Behaviour } from './api-routes.ts';
import type { Mail, MailAttachment } from './mail.ts';

export type { Behaviour };

/** The mail to wait for. */
interface MailQuery {
  /** The exact address of a recipient. */
  to: string;
  /** Part of the subject. */
  subject?: string | undefined;
  /** Only mails after the one with this id: then the first match, otherwise the newest. */
  after?: number | undefined;
  /** Timeout in ms; that of the client by default. */
  timeoutMs?: number | undefined;
}

/** Talks to one local mail server. */
export interface MailClient {
  /** The mails to an address (or all mails), newest first. */
  mails(to?: string): Promise<Mail[]>;
  /**
   * Resolves with a matching mail, immediately if it has already arrived.
   * @throws Error that lists the mails that did arrive, when none matches in time
   */
  waitForMail(query: MailQuery): Promise<Mail>;
  /**
   * The link in a mail whose path is `path`, such as `/verify-email`, with its query.
   * @throws Error that lists the links in the mail when there is none
   */
  linkIn(mail: Mail, path: string): string;
  /** The files in a mail. */
  attachments(mail: Mail): Promise<MailAttachment[]>;
  /** Sets the behaviour for the next mails; the server must be started with `control`. */
  behave(behaviour: Behaviour): Promise<void>;
  /** Deletes all mails. */
  clear(): Promise<void>;
}

/**
 * Creates a client.
 * @param pageUrl the `pageUrl` of `startMailServer`
 * @param timeoutMs how long `waitForMail` waits for a mail, in ms; the server allows 290 seconds at most
 */
export function createMailClient(pageUrl: string, timeoutMs = 30_000): MailClient {
  const request = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await fetch(`${pageUrl}${path}`, init);
    if (!response.ok) {
      throw new Error(`the mail service answered ${response.status}: ${await response.text()}`);
    }
    return response;
  };
  const mails = async (to?: string): Promise<Mail[]> =>
    (await (
      await request(`/api/mails${to === undefined ? '' : `?${new URLSearchParams({ to })}`}`)
    ).json()) as Mail[];

  return {
    mails,
    async waitForMail(query) {
      const parameters = new URLSearchParams();
      for (const [name, value] of Object.entries({ timeoutMs, ...query })) {
        if (value !== undefined) parameters.set(name, String(value));
      }
      const response = await request(`/api/mails/wait?${parameters}`);
      if (response.status === 200) return (await response.json()) as Mail;
      const others = (await mails()).slice(0, 10).map(({ id, to, subject }) => `#${id} to ${to}: ${subject}`);
      throw new Error(`no mail matched ${parameters} in time. The newest: ${others.join('; ') || 'none'}`);
    },
    linkIn(mail, path) {
      const links = linksIn(mail);
      const link = links.find((address) => new URL(address).pathname === path);
      if (link === undefined) {
        throw new Error(`"${mail.subject}" has no link to ${path}. Its links: ${links.join(' ') || 'none'}`);
      }
      return link;
    },
    async attachments({ id }) {
      const files = (await (await request(`/api/mails/${id}/attachments`)).json()) as (Omit<
        MailAttachment,
        'content'
      > & { content: string })[];
      return files.map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') }));
    },
    async behave(behaviour) {
      await request('/control', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(behaviour),
      });
    },
    async clear() {
      await request('/api/mails', { method: 'DELETE' });
    },
  };
}

/** The links in the text of a mail, in their order. */
function linksIn({ text }: Mail): string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"]+/g)]
    .map(([address]) => address.replace(/[.,;:!?)\]]+$/, ''))
    .filter((address) => URL.canParse(address));
}
