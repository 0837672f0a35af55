import { randomBytes } from 'node:crypto';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { connectDb } from '#shared/data/connect.ts';
import { endSessionsOf } from '#shared/data/sessions.ts';
import { findUsersByEmail, replacePasswordHash } from '#shared/data/users.ts';
import { demoAddresses } from '#shared/platform/production.ts';

/**
 * Gives the demo sellers a password that nobody knows, and ends their sessions: the one that stands in this repository may
 * work only where nobody else reaches the server. `makeSellers` gives it back.
 * @returns how many sellers that were
 */
export async function takeDemoPasswords(mongodbUrl: string): Promise<number> {
  const db = await connectDb(mongodbUrl);
  try {
    const sellers = await findUsersByEmail(db, demoAddresses);
    for (const { _id } of sellers) {
      const unknown = await hashPassword(randomBytes(32).toString('hex'), 'this program');
      await replacePasswordHash(db, _id, unknown);
      await endSessionsOf(db, _id);
    }
    return sellers.length;
  } finally {
    await db.close();
  }
}
