import plugin from 'fastify-plugin';
import { pages } from '#contract';
import type { Config } from '#shared/platform/config.ts';

/** How long `security.txt` may be relied on, in days: it is made anew with each request. */
const securityDays = 180;

/** What programs look for at addresses that are the same on every site (RFC 8615). */
export const wellKnown = plugin<{ config: Config }>(async (app, { config }) => {
  // Where password managers send people (W3C, "A Well-Known URL for Changing Passwords").
  app.get('/.well-known/change-password', { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', 'no-store').redirect(`${pages.security}#change-password`, 302),
  );

  app.get('/.well-known/security.txt', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(securityText(config, new Date())),
  );
});

/** Where somebody who found a weakness can tell us (RFC 9116). Addresses of pages must be https there. */
function securityText({ mail, linkUrl, secure }: Config, now: Date): string {
  const expires = new Date(now.getTime() + securityDays * 86_400_000);
  const fields = [
    ['Contact', `mailto:${encodeURI(mail.supportAddress)}`],
    ...(secure ? [['Contact', `${linkUrl}${pages.contact}?subject=support`]] : []),
    // Whole days, so that proxies and browsers see one file.
    ['Expires', `${expires.toISOString().slice(0, 10)}T00:00:00Z`],
    ['Preferred-Languages', 'en'],
    ...(secure ? [['Canonical', `${linkUrl}/.well-known/security.txt`]] : []),
  ];
  return fields.map(([name, value]) => `${name}: ${value}\n`).join('');
}
