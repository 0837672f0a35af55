import { describe, expect, test } from 'vitest';
import { parseQueueUrl } from './queue-url.ts';

const redis = { kind: 'redis', topology: 'single', db: 0, masterName: '', tls: null };
const node = (host: string, port = 6_379) => ({ host, port });

describe('every form is read', () => {
  test.for<[url: string, store: object]>([
    ['postgres://a:b@127.0.0.1/x', { kind: 'postgres', url: 'postgres://a:b@127.0.0.1/x' }],
    ['postgresql://h/x', { kind: 'postgres', url: 'postgresql://h/x' }],
    ['redis://127.0.0.1:6379', { ...redis, nodes: [node('127.0.0.1')] }],
    ['redis://[::1]:7/3', { ...redis, nodes: [node('::1', 7)], db: 3 }],
    ['redis://user:p%40ss@h', { ...redis, nodes: [node('h')], username: 'user', password: 'p@ss' }],
    [
      'rediss://:secret@queue.example/1',
      { ...redis, nodes: [node('queue.example')], password: 'secret', db: 1, tls: {} },
    ],
    [
      'redis+sentinel://:pw@a,b:1,c/mymaster?db=2&sentinelPassword=s',
      {
        ...redis,
        topology: 'sentinel',
        nodes: [node('a', 26_379), node('b', 1), node('c', 26_379)],
        password: 'pw',
        masterName: 'mymaster',
        sentinelPassword: 's',
        db: 2,
      },
    ],
    [
      'rediss+cluster://a:1,b:2,[::1]:3',
      { ...redis, topology: 'cluster', nodes: [node('a', 1), node('b', 2), node('::1', 3)], tls: {} },
    ],
    [
      `rediss://h?ca=${import.meta.filename}`,
      { ...redis, nodes: [node('h')], tls: { ca: expect.stringContaining('import') } },
    ],
  ])('%s', ([url, store]) => {
    expect(parseQueueUrl(url)).toEqual(store);
  });
});

describe('what is wrong in each part is said, without the password', () => {
  test.for<[url: string, message: string]>([
    ['http://h', 'must start with redis://, rediss://'],
    ['redis+ring://h', 'must start with redis://'],
    ['redis://', 'has no host'],
    ['redis://:secret@/0', 'has no host'],
    ['redis://:secret@h:99999', 'has the host "h:99999", which is not host:port'],
    ['redis://:secret@h:port', 'has the host "h:port"'],
    ['redis://a,b', 'has several hosts'],
    ['redis://h/first', 'has the database "first"'],
    ['redis://h?timeout=3', 'has the parameter "timeout"; known are ca'],
    ['redis://:%zz@h', 'has a user name or password that is not percent-encoded'],
    ['redis://h?ca=/x', 'has "ca", which is only for rediss'],
    ['rediss://h?ca=/nowhere/ca.pem', 'names the file "/nowhere/ca.pem", which cannot be read (ENOENT)'],
    ['redis+sentinel://a,b', 'must name the master'],
    ['redis+sentinel://a,,b/m', 'has no host'],
    ['redis+sentinel://a/m?db=x', 'has the database "x"'],
    ['redis+cluster://a,b/1', 'names a database; a cluster has only number 0'],
    ['redis+cluster://a?db=1', 'has the parameter "db"; known are ca'],
  ])('%s', ([url, message]) => {
    expect(() => parseQueueUrl(url)).toThrow(message);
    expect(() => parseQueueUrl(url)).not.toThrow('secret');
  });
});
