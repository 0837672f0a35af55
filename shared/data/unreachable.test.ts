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
const answered = (code: number) => new MongoServerError({ message: 'said so', code });

test.for<[what: string, error: Error]>([
  ['a connection that broke', new MongoNetworkError('read ECONNRESET')],
  ['a connection without an answer', new MongoNetworkTimeoutError('timed out')],
  ['a driver that is not connected', new MongoNotConnectedError('not connected')],
  ['a driver that was closed', new MongoTopologyClosedError('closed')],
  ['no server found, in the words of mongoose', new mongoose.Error.MongooseServerSelectionError('none')],
  ['a server that is no primary any more', answered(10_107)],
  ['a server that stepped down', answered(189)],
  ['a server that ends', answered(11_600)],
  ['an error that one of these caused', new Error('not read', { cause: new MongoNetworkError('closed') })],
])('%s means that it cannot be reached', ([, error]) => {
  expect(isDatabaseUnreachable(error)).toBe(true);
});

const circle = new Error('caused by itself');
circle.cause = circle;

test.for<[what: string, error: unknown]>([
  ['a second document under a unique key', answered(11_000)],
  ['a query that it cannot read', answered(2)],
  ["another program's code", Object.assign(new Error('no'), { code: 6 })],
  ['an error in a circle', circle],
  ['a text', 'MongoNetworkError'],
  ['nothing', undefined],
])('%s does not', ([, error]) => {
  expect(isDatabaseUnreachable(error)).toBe(false);
});
