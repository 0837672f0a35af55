import { expect, test } from 'vitest';
import { isLoopback, isMongoOnLoopback } from './loopback.ts';

test.each(['127.0.0.1', '::1', 'localhost', 'LOCALHOST'])('%s is this machine alone', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(['0.0.0.0', '::', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', ''])(
  '%s is not',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

test.each([
  'mongodb://127.0.0.1/packshot',
  'mongodb://127.0.0.1:27017',
  'mongodb://user:p%40ss@localhost:27017/packshot?replicaSet=rs',
  'mongodb://[::1]:27017/packshot',
  'mongodb://127.0.0.1:1,localhost:2/packshot',
])('%s is on this machine', (url) => {
  expect(isMongoOnLoopback(url)).toBe(true);
});

test.each([
  'mongodb://127.evil.example/packshot',
  'mongodb://localhost.evil.example/packshot',
  'mongodb://localhost@db.example/packshot',
  'mongodb://127.0.0.1:1,db.example:2/packshot',
  'mongodb://db.example/127.0.0.1',
  'mongodb+srv://localhost/packshot',
])('%s is not on this machine', (url) => {
  expect(isMongoOnLoopback(url)).toBe(false);
});
