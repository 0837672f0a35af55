import {
  createPrivateKey,
  constants as cryptography,
  type KeyObject,
  randomUUID,
  sign,
  X509Certificate,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { DigitalSourceType } from '#shared/contract/export-presets.ts';
import { type Config, ConfigError } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import { listOfIptc } from './image-xmp.ts';

/** Signs images with the operator's certificate (C2PA). */
export interface Credentials {
  /**
   * @returns the file with Content Credentials. As it was if it has some already, if the format takes none, or if they
   *   cannot be written now: an image is worth more than its signature
   */
  sign(file: Buffer, sourceType: DigitalSourceType): Promise<Buffer>;
}

/** How a key signs, with the number of COSE for it. */
interface Signing {
  algorithm: -7 | -35 | -37 | -8;
  hash: 'sha256' | 'sha384' | null;
}

/**
 * Opens the certificate of an installation.
 * @returns null without one
 * @throws ConfigError when it cannot be used
 */
export async function openCredentials(
  { contentCredentials: files }: Pick<Config, 'contentCredentials'>,
  log: Log,
): Promise<Credentials | null> {
  if (!files) return null;
  const [certificates, key] = await Promise.all([
    read('C2PA_CERTIFICATE', files.certificate, certificatesOf),
    read('C2PA_PRIVATE_KEY', files.privateKey, createPrivateKey),
  ]);
  const [own] = certificates;
  if (!own.checkPrivateKey(key))
    throw new ConfigError('C2PA_PRIVATE_KEY: is not the key of the first certificate of C2PA_CERTIFICATE.');
  const signing = signingOf(key);
  const library = await openLibrary(certificates, key, signing);
  return {
    async sign(file, sourceType) {
      try {
        const now = new Date();
        if (now < own.validFromDate || now > own.validToDate)
          throw new Error(`it is valid until ${own.validTo}`);
        return await library.sign(file, sourceType);
      } catch (error) {
        log.error({ err: error }, 'Content Credentials could not be written: check C2PA_CERTIFICATE');
        return file;
      }
    },
  };
}

async function read<Result>(name: string, path: string, parse: (text: string) => Result): Promise<Result> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new ConfigError(`${name}: ${(cause as Error).message}. See docs/settings.md.`);
  }
}

function certificatesOf(text: string): [X509Certificate, ...X509Certificate[]] {
  const [own, ...others] = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (own === undefined) throw new Error('has no certificate as PEM');
  return [new X509Certificate(own), ...others.map((each) => new X509Certificate(each))];
}

function signingOf(key: KeyObject): Signing {
  const { namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'ed25519') return { algorithm: -8, hash: null };
  if (key.asymmetricKeyType === 'rsa') return { algorithm: -37, hash: 'sha256' };
  if (namedCurve === 'prime256v1') return { algorithm: -7, hash: 'sha256' };
  if (namedCurve === 'secp384r1') return { algorithm: -35, hash: 'sha384' };
  throw new ConfigError('C2PA_PRIVATE_KEY: takes EC (P-256, P-384), RSA and Ed25519.');
}

/** Loads the library, which only installations with a certificate need. */
async function openLibrary(certificates: readonly X509Certificate[], key: KeyObject, signing: Signing) {
  const [
    { JPEG, PNG },
    { ActionAssertion, ActionType, ClaimVersion, DataHashAssertion, ManifestStore },
    x509,
  ] = await Promise.all([
    import('@trustnxt/c2pa-ts/asset'),
    import('@trustnxt/c2pa-ts/manifest'),
    import('@peculiar/x509'),
  ]);
  const [certificate, ...chainCertificates] = certificates.map(
    ({ raw }) => new x509.X509Certificate(raw as Uint8Array<ArrayBuffer>),
  );
  const signBytes = promisify(sign);
  const signer = {
    certificate: certificate!,
    chainCertificates,
    algorithm: signing.algorithm,
    // The library's own signer writes signatures of elliptic curves in a form that other readers refuse.
    sign: async (payload: Uint8Array) =>
      new Uint8Array(
        await signBytes(signing.hash, payload, {
          key,
          dsaEncoding: 'ieee-p1363',
          ...(key.asymmetricKeyType === 'rsa' && {
            padding: cryptography.RSA_PKCS1_PSS_PADDING,
            saltLength: cryptography.RSA_PSS_SALTLEN_DIGEST,
          }),
        }),
      ),
  };
  return {
    async sign(file: Buffer, sourceType: DigitalSourceType): Promise<Buffer> {
      const kind = [PNG, JPEG].find((each) => each.canRead(file));
      if (!kind) return file;
      const asset = new kind(file);
      if (asset.getManifestJUMBF()) return file;
      const store = new ManifestStore();
      const manifest = store.createManifest({
        claimVersion: ClaimVersion.V2,
        assetFormat: asset.mimeType,
        instanceID: `xmp:iid:${randomUUID()}`,
        defaultHashAlgorithm: 'SHA-256',
        signer,
      });
      manifest.claim!.claimGeneratorName = 'Packshot';
      const actions = new ActionAssertion();
      actions.label = 'c2pa.actions.v2';
      actions.actions.push({
        action: ActionType.C2paCreated,
        // Theirs lacks one of the types of the IPTC's list.
        digitalSourceType: `${listOfIptc}${sourceType}` as never,
        softwareAgent: { name: 'Packshot' },
      });
      const hash = DataHashAssertion.create('SHA-256');
      for (const assertion of [actions, hash]) manifest.addAssertion(assertion);
      await asset.ensureManifestSpace(store.measureSize());
      await hash.updateWithAsset(asset);
      await manifest.sign(signer);
      await asset.writeManifestJUMBF(store.getBytes());
      return Buffer.from(await asset.getDataRange());
    },
  };
}
