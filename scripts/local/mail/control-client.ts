/** The typed client of the local mail service, for tests and scripts. */
import type { Behaviour } from './behaviour.ts';
import type { Mail } from './mail.ts';

export type { Behaviour, Mail };

/** Which mail to wait for. */
export interface WantedMail {
  /** A recipient, whole. */
  to: string;
  /** Part of the subject. */
  subject?: string | undefined;
  /** Only mails that came after the one with this id; then the first of them, else the newest mail that fits. */
  after?: number | undefined;
  /** How long, in ms; default 30 seconds. */
  timeoutMs?: number | undefined;
}

/** Speaks to one local mail service. */
export interface MailClient {
  /** The mails to an address (all mails without one), newest first. */
  mails(to?: string): Promise<Mail[]>;
  /**
   * Resolves with the mail as soon as it has come, at once when it is there already.
   * @throws Error that names the mails that did come, when none fits in time
   */
  waitForMail(wanted: WantedMail): Promise<Mail>;
  /**
   * The link of a mail that leads to a path, such as `/verify-email`, with its query.
   * @throws Error that names the links of the mail when none does
   */
  linkIn(mail: Mail, path: string): string;
  /** Sets what the next mails meet; the service must be started with `control`. */
  behave(behaviour: Behaviour): Promise<void>;
  /** Deletes all mails. */
  clear(): Promise<void>;
}

/**
 * Makes a client.
 * @param pageUrl the `pageUrl` of `startMailServer`
 */
export function createMailClient(pageUrl: string): MailClient {
  const ask = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await fetch(`${pageUrl}${path}`, init);
    if (!response.ok) {
      throw new Error(`the mail service answered ${response.status}: ${await response.text()}`);
    }
    return response;
  };
  const mails = async (to?: string): Promise<Mail[]> =>
    (await (
      await ask(`/api/mails${to === undefined ? '' : `?${new URLSearchParams({ to })}`}`)
    ).json()) as Mail[];

  return {
    mails,
    async waitForMail(wanted) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(wanted)) {
        if (value !== undefined) query.set(name, String(value));
      }
      const response = await ask(`/api/mails/wait?${query}`);
      if (response.status === 200) return (await response.json()) as Mail;
      const others = (await mails()).slice(0, 10).map(({ id, to, subject }) => `#${id} to ${to}: ${subject}`);
      throw new Error(`no mail came that fits ${query}. The newest: ${others.join('; ') || 'none'}`);
    },
    linkIn(mail, path) {
      const links = linksIn(mail);
      const link = links.find((address) => new URL(address).pathname === path);
      if (link === undefined) {
        throw new Error(`"${mail.subject}" has no link to ${path}. Its links: ${links.join(' ') || 'none'}`);
      }
      return link;
    },
    async behave(behaviour) {
      await ask('/control', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(behaviour),
      });
    },
    async clear() {
      await ask('/api/mails', { method: 'DELETE' });
    },
  };
}

/** The addresses in the text of a mail, in the order in which they stand there. */
function linksIn({ text }: Mail): string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"]+/g)]
    .map(([address]) => address.replace(/[.,;:!?)\]]+$/, ''))
    .filter((address) => URL.canParse(address));
}
