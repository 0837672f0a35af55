/**
 * The demo sellers' password stands in this repository, so it may work only where nobody else reaches the server. A stack
 * that lets other machines in takes it away, and one that does not gives it back.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectData, type Data } from '../../shared/data/connect.ts';
import { endSessionsOf } from '../../shared/data/sessions.ts';
import { hashPassword } from '../../shared/passwords.ts';
import { demoAddresses } from '../../shared/production.ts';

/** Where the hashes are kept that were taken, by the seller's id. */
const keptFile = (dataFolder: string) => join(dataFolder, 'demo-passwords.json');

type KeptHashes = Record<string, string>;

async function readKept(dataFolder: string): Promise<KeptHashes> {
  return JSON.parse(await readFile(keptFile(dataFolder), 'utf8').catch(() => '{}')) as KeptHashes;
}

/** Gives the demo sellers a password that nobody knows, and ends their sessions. @returns how many sellers that were */
export async function takeDemoPasswords(mongodbUrl: string, dataFolder: string): Promise<number> {
  return withData(mongodbUrl, async (data) => {
    const sellers = await data.users.find({ email: { $in: [...demoAddresses] } }).lean();
    const kept = await readKept(dataFolder);
    for (const { _id: id, password_hash: hash } of sellers) {
      if (kept[id] === undefined) {
        kept[id] = hash;
        // First: a password that was taken and not kept could not be given back.
        await writeFile(keptFile(dataFolder), JSON.stringify(kept), { mode: 0o600 });
        const unknown = await hashPassword(randomBytes(32).toString('hex'), 'this program');
        await data.users.updateOne({ _id: id }, { $set: { password_hash: unknown } });
      }
      await endSessionsOf(data, id);
    }
    return sellers.length;
  });
}

/** Gives the demo sellers back the password that was taken from them. */
export async function giveDemoPasswordsBack(mongodbUrl: string, dataFolder: string): Promise<void> {
  const kept = Object.entries(await readKept(dataFolder));
  if (kept.length === 0) return;
  await withData(mongodbUrl, async (data) => {
    for (const [id, hash] of kept) await data.users.updateOne({ _id: id }, { $set: { password_hash: hash } });
  });
  await rm(keptFile(dataFolder), { force: true });
}

async function withData<Result>(mongodbUrl: string, work: (data: Data) => Promise<Result>): Promise<Result> {
  const data = await connectData(mongodbUrl);
  try {
    return await work(data);
  } finally {
    await data.close();
  }
}
