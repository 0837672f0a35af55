/** What one mail service does with the addresses of a mailbox. `+tag` is not listed: it is removed everywhere. */
interface MailService {
  /** Domains under which a mailbox has one name; the first one stands for all. */
  domains: readonly string[];
  /** The name of the mailbox, from what is before the `@`. */
  nameOf?(local: string): string;
  /** Whether `anything@name.domain` is `name@domain`. */
  subdomains?: true;
}

const withoutDots = (local: string) => local.replaceAll('.', '');

/** `base-keyword` is a disposable address of `base`; names themselves have no hyphen. */
const beforeHyphen = (local: string) => local.replace(/(?<=.)-.*$/, '');

/** Domains whose mailboxes are separate accounts, with one rule. */
const separate = (domains: readonly string[], rule: Omit<MailService, 'domains'>): MailService[] =>
  domains.map((domain) => ({ domains: [domain], ...rule }));

/** The domains of a service that has one in many countries. */
const withEndings = (name: string, endings: string) =>
  endings.split(' ').map((ending) => `${name}.${ending}`);

/**
 * Services that deliver several addresses to one mailbox, by what they document:
 * - Gmail ignores dots (support.google.com/mail/answer/7436150).
 * - Proton gives a mailbox all its domains (proton.me/support/addresses-and-aliases) and ignores dots, hyphens and
 *   underscores, as its support says (sindastra.de/p/1775).
 * - iCloud addresses from before 2012 also work at me.com and mac.com (support.apple.com/102540).
 * - Yandex registers each name on all its domains (yandex.com/support/id/authorization/email.html); a dot and a hyphen in it
 *   are the same.
 * - Yahoo's disposable addresses are a base name, a hyphen and a keyword (help.yahoo.com/kb/SLN16026.html).
 * - Fastmail delivers `anything@name.domain` (fastmail.help/hc/en-us/articles/360060591053); its domains are separate.
 * Outlook, Hotmail and Live, Zoho, HEY and GMX have only `+tag`, or nothing: their domains are separate mailboxes.
 */
const services: readonly MailService[] = [
  { domains: ['gmail.com', 'googlemail.com'], nameOf: withoutDots },
  {
    domains: ['proton.me', 'protonmail.com', 'pm.me', 'protonmail.ch'],
    nameOf: (local) => local.replaceAll(/[._-]/g, ''),
  },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  {
    domains: [
      ...withEndings('yandex', 'ru com by kz ua uz az com.am com.ge co.il com.tr kg lt lv md ee fr tj tm'),
      'ya.ru',
    ],
    nameOf: (local) => local.replaceAll('-', '.'),
  },
  ...separate(
    [
      'ymail.com',
      'rocketmail.com',
      'myyahoo.com',
      ...withEndings(
        'yahoo',
        'com co.uk co.in ca de fr it es ie in com.au com.br com.ar com.mx com.ph com.sg com.hk com.tw co.id ' +
          'co.nz gr pl ro se no dk',
      ),
    ],
    { nameOf: beforeHyphen },
  ),
  ...separate(
    [
      ...withEndings('fastmail', 'com fm net org co.uk de es in jp uk us to ca'),
      'messagingengine.com',
      'sent.com',
      'mailbolt.com',
      'eml.cc',
      'fmail.co.uk',
      '123mail.org',
    ],
    { subdomains: true },
  ),
];

const serviceAt = new Map(services.flatMap((service) => service.domains.map((domain) => [domain, service])));

/**
 * The address that a mailbox has under all its spellings: in lower case, without `+tag`, and as its service reads it. Only for
 * recognising a mailbox, not for sending mail.
 * @param email a valid address
 */
export function normalisedAddress(email: string): string {
  const { local, domain, service } = read(email);
  return service ? `${nameIn(service, local)}@${service.domains[0]}` : `${local}@${domain}`;
}

/** An address in lower case without `+tag`. What is before the `@` of a subdomain's address is its name. */
function read(email: string): { local: string; domain: string; service: MailService | undefined } {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  const whole = email.slice(0, at).toLowerCase();
  const plus = whole.indexOf('+');
  // `+tag@…` has nothing before the tag.
  const local = plus > 0 ? whole.slice(0, plus) : whole;
  const [name, ...parents] = domain.split('.');
  const parent = serviceAt.get(parents.join('.'));
  if (parent?.subdomains) return { local: name!, domain: parent.domains[0]!, service: parent };
  return { local, domain, service: serviceAt.get(domain) };
}

function nameIn(service: MailService, local: string): string {
  // A name of nothing but dots stays, so that it is no other mailbox.
  return service.nameOf?.(local) || local;
}
