import { randomBytes } from 'node:crypto';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { endSessionsOf } from '#shared/data/accounts/sessions.ts';
import { findUsersByEmail, replacePasswordHash } from '#shared/data/accounts/users.ts';
import { connectDb } from '#shared/data/connect.ts';
import { demoAddresses } from '#shared/platform/production.ts';

/**
 * Gives the demo sellers a random password and ends their sessions. The password in this repository may work only where
 * no other machine reaches the server. `makeSellers` sets it again.
 * @returns the number of sellers
 */
export async function disableDemoSellers(mongodbUrl: string): Promise<number> {
  const db = await connectDb(mongodbUrl);
  try {
    const sellers = await findUsersByEmail(db, demoAddresses);
    for (const { _id } of sellers) {
      const random = await hashPassword(randomBytes(32).toString('hex'), 'this program');
      await replacePasswordHash(db, _id, random);
      await endSessionsOf(db, _id);
    }
    return sellers.length;
  } finally {
    await db.close();
  }
}
