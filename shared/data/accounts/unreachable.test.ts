import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { isDatabaseUnreachable } from './unreachable.ts';

const {
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoServerError,
  MongoTopologyClosedError,
} = mongoose.mongo;
const answered = (code: number) => new MongoServerError({ message: 'refused', code });

test.for<[what: string, error: Error]>([
  ['a broken connection', new MongoNetworkError('read ECONNRESET')],
  ['a connection without an answer', new MongoNetworkTimeoutError('timed out')],
  ['a driver that is not connected', new MongoNotConnectedError('not connected')],
  ['a driver that was closed', new MongoTopologyClosedError('closed')],
  ["mongoose's error for no server", new mongoose.Error.MongooseServerSelectionError('none')],
  ['a server that is no longer the primary', answered(10_107)],
  ['a server that stepped down', answered(189)],
  ['a server that shuts down', answered(11_600)],
  ['an error caused by one of these', new Error('not read', { cause: new MongoNetworkError('closed') })],
])('%s means that the database is unreachable', ([, error]) => {
  expect(isDatabaseUnreachable(error)).toBe(true);
});

const circle = new Error('caused by itself');
circle.cause = circle;

test.for<[what: string, error: unknown]>([
  ['a duplicate key', answered(11_000)],
  ['an invalid query', answered(2)],
  ["another program's code", Object.assign(new Error('no'), { code: 6 })],
  ['an error that is its own cause', circle],
  ['a string', 'MongoNetworkError'],
  ['nothing', undefined],
])('%s does not mean that the database is unreachable', ([, error]) => {
  expect(isDatabaseUnreachable(error)).toBe(false);
});
