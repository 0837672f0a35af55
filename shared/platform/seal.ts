import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Text that must be read back is sealed before it is stored, so that a copy of the database does not tell it. */
export interface Seal {
  /** How text that is sealed with the first key begins. */
  prefix: string;
  /** Seals a text. @param about what it belongs to: it opens only with the same */
  seal(text: string, about: string): string;
  /**
   * Opens a sealed text.
   * @throws SealError when it is not sealed, or with none of the keys, was altered, or belongs to something else
   */
  open(stored: string, about: string): string;
}

/** A sealed text cannot be opened. */
export class SealError extends Error {
  override name = 'SealError';
}

const mark = 'sealed.';
const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM, with a key derived from each secret.
 * @param secrets at least one; the first one seals, all of them open
 */
export function createSeal(secrets: readonly string[]): Seal {
  const keys = secrets.map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'packshot seal', 32));
    const id = createHash('sha256').update('packshot seal ').update(key).digest('base64url').slice(0, 8);
    return { key, prefix: `${mark}${id}.` };
  });
  const { key, prefix } = keys[0]!;
  return {
    prefix,
    seal(text, about) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(about));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return prefix + sealed.toString('base64url');
    },
    open(stored, about) {
      const fitting = keys.find((each) => stored.startsWith(each.prefix));
      if (!fitting) throw new SealError('it is sealed with a key that this process does not have');
      const sealed = Buffer.from(stored.slice(fitting.prefix.length), 'base64url');
      try {
        const decipher = createDecipheriv(algorithm, fitting.key, sealed.subarray(0, ivBytes), {
          authTagLength: tagBytes,
        }).setAAD(Buffer.from(about));
        decipher.setAuthTag(sealed.subarray(-tagBytes));
        const text = decipher.update(sealed.subarray(ivBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SealError('it was altered, or belongs to something else', { cause });
      }
    },
  };
}

/**
 * Seals stored texts that are sealed with an older key again. Idempotent; several processes may do it at once.
 * @param replace stores a text in its new form, unless it has changed meanwhile
 * @returns how many were sealed, and how many none of the keys opens
 */
export async function sealAgain(
  seal: Seal,
  texts: AsyncIterable<{ about: string; stored: string }>,
  replace: (about: string, from: string, to: string) => Promise<boolean>,
): Promise<{ sealed: number; unreadable: number }> {
  let sealed = 0;
  let unreadable = 0;
  for await (const { about, stored } of texts) {
    try {
      if (await replace(about, stored, seal.seal(seal.open(stored, about), about))) sealed += 1;
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      unreadable += 1;
    }
  }
  return { sealed, unreadable };
}
