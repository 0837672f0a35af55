import { readFileSync } from 'node:fs';

/** A mail server. */
export interface SmtpServer {
  host: string;
  /** Absent for the usual one. */
  port?: number;
  /** TLS from the first byte (`smtps`); otherwise it begins with STARTTLS. */
  secure: boolean;
  auth?: { user: string; pass: string };
  /** Certificate of the authority that signed the server's, in PEM; absent for those that Node trusts. */
  ca?: string;
}

/** What is wrong with a URL of the mail server, as the end of a sentence about it. */
export class SmtpUrlError extends Error {
  override name = 'SmtpUrlError';
}

/**
 * Reads `SMTP_URL`: `smtp://` or `smtps://` with user name, password and port, and with `?ca=` the file of an authority that Node
 * does not trust by itself. Other parameters are refused: the mail library takes some that turn the check of certificates off.
 * @throws SmtpUrlError, whose message never has a password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  if (!/^smtps?:\/\/[^/?#]/.test(text) || !URL.canParse(text)) {
    throw new SmtpUrlError('must start with smtp:// or smtps:// and a host');
  }
  const url = new URL(text);
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'ca');
  if (unknown !== undefined) throw new SmtpUrlError(`has the parameter "${unknown}"; known is ca`);
  const file = url.searchParams.get('ca');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(url.port !== '' && { port: Number(url.port) }),
    secure: url.protocol === 'smtps:',
    ...((url.username !== '' || url.password !== '') && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    ...(file !== null && { ca: readAuthority(file) }),
  };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SmtpUrlError(`names the file "${file}", which cannot be read (${code})`);
  }
}
