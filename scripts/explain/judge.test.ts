import { expect, test } from 'vitest';
import type { Plan } from './explain.ts';
import { problemsOf, textOf } from './judge.ts';
import { shapesOf } from './shapes.ts';

const plan = (stages: string[], ...indexes: [name: string, ...key: string[]][]): Plan => ({
  stages,
  indexes: indexes.map(([name, ...key]) => ({ name, key, partial: false })),
  keys: 0,
  documents: 0,
  returned: 0,
});
const indexed = plan(['FETCH', 'IXSCAN'], ['profile_1_at_-1', 'profile', 'at']);

test('a statement may not read a whole collection or index, nor sort in memory', () => {
  const find = (filter: object, more: object = {}) => ({ find: 'looks', filter, ...more });
  expect(problemsOf(find({ profile: 'a' }), indexed)).toEqual([]);
  expect(problemsOf(find({ $or: [{ profile: 'a' }] }), indexed)).toEqual([]);
  expect(problemsOf(find({ name: 'a' }), plan(['COLLSCAN']))).toEqual(['reads the whole collection']);
  expect(problemsOf({ find: 'locks', filter: {} }, plan(['COLLSCAN']))).toEqual([]);
  const sorted = plan(['SORT', ...indexed.stages], ['profile_1', 'profile']);
  expect(problemsOf(find({ profile: 'a' }), sorted)).toEqual(['sorts in memory']);
  const whole = ['reads the whole index profile_1_at_-1'];
  expect(problemsOf(find({ at: 1 }, { limit: 9 }), indexed)).toEqual(whole);
  expect(problemsOf(find({ profile: { $ne: 'a' } }), indexed)).toEqual(whole);
  expect(problemsOf(find({}), indexed)).toEqual(whole);
  expect(problemsOf(find({}, { limit: 9 }), indexed)).toEqual([]);
  expect(problemsOf({ update: 'looks', updates: [{ q: { profile: 'a' } }] }, indexed)).toEqual([]);
  expect(problemsOf({ aggregate: 'looks', pipeline: [{ $match: { at: 1 } }] }, indexed)).toEqual(whole);
});

test('commands that differ only in values are one shape; states and missing values are part of it', () => {
  const keysOf = (filter: object) =>
    shapesOf({ find: 'looks', filter, lsid: {}, $db: 'x' }).map(({ key }) => key);
  const keys = keysOf({ _id: 'A1', n: 1, at: new Date(1), state: 'queued' });
  expect(keysOf({ _id: 'B2', n: 2, at: new Date(2), state: 'queued' })).toEqual(keys);
  expect(keysOf({ _id: 'B2', n: 2, at: new Date(2), state: 'running' })).not.toEqual(keys);
  expect(keysOf({ _id: 'B2', n: null, at: new Date(2), state: 'queued' })).not.toEqual(keys);
  const several = keysOf({ _id: { $in: ['a1', 'b2'] } });
  expect(keysOf({ _id: { $in: ['c3', 'd4', 'e5'] } })).toEqual(several);
  expect(keysOf({ _id: { $in: ['c3'] } })).not.toEqual(several);
  expect(shapesOf({ insert: 'looks', documents: [] })).toEqual([]);

  const both = shapesOf({ delete: 'looks', deletes: [{ q: { a: 1 } }, { q: { b: 1 }, limit: 0 }] });
  expect(both.map(({ command }) => textOf(command))).toEqual(['delete looks {a}', 'delete looks {b}']);
  const change = { findAndModify: 'looks', query: { a: 1 }, sort: { b: 1 }, update: { $set: { c: 1 } } };
  expect(shapesOf(change).map(({ command }) => textOf(command))).toEqual(['findAndModify looks {a} sort b']);
});
