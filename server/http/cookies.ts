import type { Config } from '#shared/platform/config.ts';

/** The cookies that scripts cannot read. `signedInCookie`, which they read under one name, says and permits nothing. */
const names = { session: 'packshot', device: 'packshot-device', signUp: 'packshot-sign-up' } as const;

/** The names of all cookies that scripts cannot read, as they are without https. */
export const cookieNames: readonly string[] = Object.values(names);

/**
 * The name of a cookie and its attributes. Under https a browser takes it only from this host itself (`__Host-`, RFC 6265bis,
 * 4.1.3), so that another subdomain cannot replace it.
 */
export function cookieOf(cookie: keyof typeof names, { secure }: Pick<Config, 'secure'>) {
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return { name: secure ? `__Host-${names[cookie]}` : names[cookie], options };
}
