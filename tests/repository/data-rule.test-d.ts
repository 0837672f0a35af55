/**
 * Type test of decision 22, part of `npm run check`: a database handle has no models outside shared/data. If one of the
 * statements below compiled, its `@ts-expect-error` would be an error.
 */

import { findUser } from '#shared/data/accounts/users.ts';
import type { Db } from '#shared/data/db.ts';

export const allowed = (db: Db) => findUser(db, 'id');
// @ts-expect-error
export const query = (db: Db) => db.users.find();
// @ts-expect-error
export const update = (db: Db) => db.profiles.updateOne({}, { $set: { credits: 1 } });
// @ts-expect-error
export const driver = (db: Db) => db.connection.collection('users');
