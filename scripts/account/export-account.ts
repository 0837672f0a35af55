import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { openCommandStorage } from '#scripts/start/command-storage.ts';
import { exportOf } from '#server/accounts/export/export-stream.ts';
import { createDecoder } from '#server/decoder/decoder.ts';
import { tellOfExport } from '#shared/accounts/tell-of-export.ts';
import type { UserRow } from '#shared/data/accounts/users.ts';
import type { Db } from '#shared/data/db.ts';
import { createLog } from '#shared/platform/log.ts';

/**
 * Writes everything about a person into a ZIP that only the user of this process can read, and tells the person by mail.
 * @param path of a file that does not exist
 * @returns what to print
 */
export async function exportAccount(
  db: Db,
  account: Pick<UserRow, '_id' | 'email'>,
  path: string,
): Promise<string> {
  const log = createLog({ logLevel: 'warn' }, 'account');
  const { storage } = await openCommandStorage(db);
  const file = await open(path, 'wx', 0o600);
  const decoder = createDecoder(log);
  try {
    const stream = await exportOf({ db, storage, decoder, log }, account._id);
    if (!stream) throw new Error(`${account.email} is being deleted: there is nothing to export any more.`);
    await pipeline(stream, file.createWriteStream());
  } finally {
    await decoder.close();
    await file.close();
  }
  await tellOfExport({ db, relay: { publishMail() {} } }, account);
  return `${path} has everything about the account. Give it to nobody but its owner, and delete it afterwards. A mail tells them.`;
}
