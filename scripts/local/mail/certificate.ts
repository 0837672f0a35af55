import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A certificate and its key; both in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/**
 * Makes a certificate that signs itself, and so is its own authority.
 * @param hosts besides localhost and 127.0.0.1
 * @throws when there is no `openssl`
 */
export async function makeCertificate(...hosts: string[]): Promise<Certificate> {
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost';
  const names = `subjectAltName=${['IP:127.0.0.1', ...['localhost', ...hosts].map((host) => `DNS:${host}`)]}`;
  const output = ['-addext', names, '-keyout', '-', '-out', '-'];
  const { stdout } = await promisify(execFile)('openssl', request.split(' ').concat(output));
  const part = (label: string) => {
    const [found] = new RegExp(`-----BEGIN ${label}-----[^]*?-----END ${label}-----\\n`).exec(stdout) ?? [];
    if (found === undefined) throw new Error(`openssl printed no ${label}`);
    return found;
  };
  return { cert: part('CERTIFICATE'), key: part('PRIVATE KEY') };
}
