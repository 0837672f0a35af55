import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';

/**
 * Makes an authority of its own and a certificate for 127.0.0.1, as `fullchain.pem` and `privkey.pem`. This process trusts it
 * from then on.
 * @param folder an existing one
 */
export async function makeCertificate(folder: string): Promise<void> {
  const openssl = (...options: string[]) => promisify(execFile)('openssl', options, { cwd: folder });
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout'];
  await openssl(
    'req',
    '-x509',
    ...key,
    'authority.key',
    '-out',
    'authority.pem',
    '-subj',
    '/CN=Packshot campaign',
  );
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await openssl('req', ...key, 'privkey.pem', '-out', 'request.pem', ...names);
  const signed = [
    '-CA',
    'authority.pem',
    '-CAkey',
    'authority.key',
    '-copy_extensions',
    'copy',
    '-days',
    '2',
  ];
  await openssl('x509', '-req', '-in', 'request.pem', ...signed, '-out', 'server.pem');
  const [server, authority] = await Promise.all(
    ['server.pem', 'authority.pem'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  await writeFile(join(folder, 'fullchain.pem'), server! + authority!);
  setDefaultCACertificates([...getCACertificates('default'), authority!]);
}
