import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '#tests/support/new-folder.ts';
import { createSessionStore } from './sessions.ts';

const url = 'http://127.0.0.1:3000';
const email = 'demo@packshot.example';
const now = Date.parse('2026-11-21T12:00:00.000Z');
const session = { token: 'one.two.three', expiresAt: '2026-11-21T13:00:00.000Z' };

let folder: string;
beforeEach(async () => {
  folder = join(await newFolder(), 'sessions');
});

const storeAt = (time: number) => createSessionStore(folder, () => time);
const onlyFile = async () => {
  const names = await readdir(folder);
  expect(names).toHaveLength(1);
  return join(folder, names[0]!);
};

test('a kept session is read again, for its server and address only', async () => {
  expect(await storeAt(now).read(url, email)).toBeUndefined();
  await storeAt(now).write(url, email, session);
  expect(await storeAt(now).read(url, email)).toEqual(session);
  expect(await storeAt(now).read(url, 'other@packshot.example')).toBeUndefined();
  expect(await storeAt(now).read('http://127.0.0.1:3001', email)).toBeUndefined();
});

test('only its owner can read the file, also one that was open to others', async () => {
  await storeAt(now).write(url, email, session);
  const file = await onlyFile();
  const mode = async (path: string) => (await stat(path)).mode & 0o777;
  expect(await mode(file)).toBe(0o600);
  expect(await mode(folder)).toBe(0o700);
  await chmod(file, 0o644);
  await storeAt(now).write(url, email, { ...session, token: 'four.five.six' });
  expect(await mode(await onlyFile())).toBe(0o600);
  expect(await readFile(file, 'utf8')).toContain('four.five.six');
});

test('a session that ends before a run could is not used, and its file goes', async () => {
  await storeAt(now).write(url, email, session);
  const end = Date.parse(session.expiresAt);
  expect(await storeAt(end - 11 * 60_000).read(url, email)).toEqual(session);
  expect(await storeAt(end - 9 * 60_000).read(url, email)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test.each(['', '{"token"', '{"token":5}', 'null'])(
  'a file that holds %j counts as none and goes',
  async (text) => {
    await storeAt(now).write(url, email, session);
    await writeFile(await onlyFile(), text);
    expect(await storeAt(now).read(url, email)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  },
);

test('a session can be removed, once or again', async () => {
  await storeAt(now).write(url, email, session);
  await storeAt(now).remove(url, email);
  await storeAt(now).remove(url, email);
  expect(await storeAt(now).read(url, email)).toBeUndefined();
});
