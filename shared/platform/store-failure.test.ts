import { expect, test } from 'vitest';
import { describeStoreFailure, StoreFailure } from './store-failure.ts';

const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);
/** As MongoDB's driver wraps what each server said. */
const ofServers = (message: string, type: string, setName: string | null, ...errors: (Error | null)[]) =>
  failure(message, {
    name: 'MongooseServerSelectionError',
    reason: {
      type,
      setName,
      servers: new Map(errors.map((error, index) => [`db${index}:27017`, { error }])),
    },
  });

test.for<[what: string, error: unknown, said: RegExp]>([
  [
    'refused',
    failure('connect ECONNREFUSED 10.0.0.1:6379', { code: 'ECONNREFUSED', address: '10.0.0.1', port: 6379 }),
    /^nothing answers at 10\.0\.0\.1:6379/,
  ],
  [
    'refused on both addresses',
    new AggregateError(
      [failure('connect ECONNREFUSED ::1:5432', { code: 'ECONNREFUSED', address: '::1', port: 5432 })],
      '',
    ),
    /^nothing answers at ::1:5432/,
  ],
  [
    'refused by MongoDB',
    ofServers(
      'connect ECONNREFUSED 10.0.0.1:27017',
      'Unknown',
      null,
      failure('connect ECONNREFUSED 10.0.0.1:27017', {
        cause: failure('', { code: 'ECONNREFUSED', address: '10.0.0.1', port: 27017 }),
      }),
    ),
    /^nothing answers at 10\.0\.0\.1:27017/,
  ],
  [
    'an unknown host',
    failure('getaddrinfo ENOTFOUND db.shop', { code: 'ENOTFOUND', hostname: 'db.shop' }),
    /^the host db\.shop is not known/,
  ],
  [
    'a resolver that fails',
    failure('getaddrinfo EAI_AGAIN db.shop', { code: 'EAI_AGAIN', hostname: 'db.shop' }),
    /^the host db\.shop is not known/,
  ],
  [
    'no answer',
    failure('connect ETIMEDOUT 10.0.0.1:27017', { code: 'ETIMEDOUT', address: '10.0.0.1', port: 27017 }),
    /^there is no answer from 10\.0\.0\.1:27017 in time/,
  ],
  [
    'no answer from PostgreSQL',
    failure('timeout expired: Connection terminated due to connection timed out'),
    /^there is no answer/,
  ],
  [
    'a password refused by MongoDB',
    failure('Authentication failed.', { code: 18 }),
    /^it refuses the user name or the password/,
  ],
  [
    'a password refused by Atlas',
    failure('bad auth : authentication failed', { code: 8000 }),
    /^it refuses the user name or the password/,
  ],
  [
    'a password refused by PostgreSQL',
    failure('password authentication failed for user "me"', { code: '28P01' }),
    /^it refuses the user name or the password/,
  ],
  [
    'a password refused by Redis',
    new AggregateError([
      failure('WRONGPASS invalid username-password pair or user is disabled.'),
      failure('NOAUTH Authentication required.'),
    ]),
    /^it refuses the user name or the password/,
  ],
  [
    'no password for Redis',
    failure('NOAUTH Authentication required.'),
    /^it asks for a user name and password/,
  ],
  [
    'no password for MongoDB',
    failure('Command listCollections requires authentication', { code: 13 }),
    /^it asks for a user name and password/,
  ],
  [
    'no password for PostgreSQL',
    failure('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
    /^it asks for a user name and password/,
  ],
  [
    'no rights in Redis',
    failure("NOPERM this user has no permissions to run the 'eval' command"),
    /^its user may not do what Packshot needs \(NOPERM/,
  ],
  [
    'another database of PostgreSQL',
    failure('database "packshop" does not exist', { code: '3D000' }),
    /^there is no such database \(database "packshop" does not exist\)/,
  ],
  ['another database of Redis', failure('ERR DB index is out of range'), /^there is no such database/],
  [
    'a certificate of its own',
    failure('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    /^there is no encrypted connection \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
  ],
  [
    'the certificate of another host',
    failure("Hostname/IP does not match certificate's altnames", { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }),
    /^there is no encrypted connection \(ERR_TLS_CERT/,
  ],
  [
    'TLS to a port without',
    failure('write EPROTO 80: error:0A00010B:SSL routines:wrong version number', { code: 'EPROTO' }),
    /^there is no encrypted connection \(EPROTO\)/,
  ],
  [
    'PostgreSQL without TLS',
    failure('The server does not support SSL connections'),
    /^there is no encrypted connection \(The server does not support SSL/,
  ],
  [
    'a plain connection to TLS',
    failure('connection 1 to 10.0.0.1:27017 closed'),
    /^it closes the connection at once/,
  ],
  [
    'no replica set',
    ofServers('Server selection timed out after 5000 ms', 'ReplicaSetNoPrimary', 'rs0', null),
    /^no server says that it is the primary of the replica set rs0/,
  ],
  [
    'a replica set that is away',
    ofServers(
      'connect ECONNREFUSED 10.0.0.1:27017',
      'ReplicaSetNoPrimary',
      'rs0',
      failure('', { code: 'ECONNREFUSED', address: '10.0.0.1', port: 27017 }),
    ),
    /^nothing answers at 10\.0\.0\.1:27017/,
  ],
  [
    'an old MongoDB',
    failure(
      'Server at db:27017 reports maximum wire version 7, but this version of the Node.js Driver requires at least 8 (MongoDB 4.2)',
    ),
    /^its version is too old/,
  ],
  [
    'an older MongoDB than ours',
    failure('MongoDB 5.0.31 is older than 6.0'),
    /^its version is too old \(MongoDB 5\.0\.31 is older than 6\.0\)/,
  ],
  [
    'an old Redis',
    failure('Redis version needs to be greater or equal than 5.0.0 Current: 4.0.14'),
    /^its version is too old/,
  ],
  [
    'no sentinel',
    new AggregateError(
      [failure('All sentinels are unreachable and retry is disabled. Last error: Connection is closed.')],
      '',
    ),
    /^none of the hosts in its URL answers/,
  ],
  ['something else', failure('mongodb://me:hunter2@db is odd\n  at line 1'), /^mongodb:\/\/…@db is odd$/],
])('%s', ([, error, said]) => {
  const text = describeStoreFailure(error);
  expect(text).toMatch(said);
  expect(text).not.toMatch(/\n|hunter2/);
  expect(new StoreFailure('QUEUE_URL', error).message).toBe(`QUEUE_URL: ${text}`);
});
