/** Certificates that sign images, and what a reader says of what they signed. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { ManifestStore } from '@trustnxt/c2pa-ts/manifest';
import { newFolder } from './new-folder.ts';

const run = promisify(execFile);

/** Kinds of keys, as OpenSSL makes them. */
export const keys = {
  'P-256': ['EC', 'ec_paramgen_curve:P-256'],
  'P-384': ['EC', 'ec_paramgen_curve:P-384'],
  RSA: ['RSA', 'rsa_keygen_bits:2048'],
  Ed25519: ['ED25519'],
} as const;

/** Makes a key, and a certificate of it that another one has signed, with OpenSSL. */
export async function certificateOf([algorithm, option]: readonly string[] = keys['P-256']) {
  const folder = await newFolder();
  const file = (name: string) => join(folder, name);
  const [privateKey, certificate] = [file('key.pem'), file('certificate.pem')];
  const openssl = (command: string) => run('openssl', command.split(' '));
  const parameter = option === undefined ? '' : ` -pkeyopt ${option}`;
  const root = `-keyout ${file('root.key')} -out ${file('root.pem')} -subj /O=Root/CN=Root`;
  await openssl(`req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes ${root}`);
  await openssl(`genpkey -algorithm ${algorithm}${parameter} -out ${privateKey}`);
  const issuer = `-CA ${file('root.pem')} -CAkey ${file('root.key')} -days 1 -subj /O=Shop/CN=Shop`;
  const uses =
    '-addext basicConstraints=critical,CA:FALSE -addext keyUsage=critical,digitalSignature -addext extendedKeyUsage=emailProtection';
  await openssl(`req -new -x509 -key ${privateKey} ${issuer} ${uses} -out ${certificate}`);
  return { privateKey, certificate };
}

/** What the library says of the Content Credentials of a PNG or JPEG. */
export async function validityOf(file: Uint8Array) {
  const asset = PNG.canRead(file) ? new PNG(file) : new JPEG(file);
  const { isValid, statusEntries } = await ManifestStore.read(
    SuperBox.fromBuffer(new Uint8Array(asset.getManifestJUMBF()!)),
  ).validate(asset);
  return { isValid, codes: statusEntries.map(({ code }) => code) };
}
