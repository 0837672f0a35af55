import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { paths } from '#contract';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { modelsOf } from '#shared/data/collections.ts';
import type { Db } from '#shared/data/db.ts';
import { openAccount } from '#tests/campaigns/support/accounts.ts';
import type { RolloutStack } from './stack.ts';

/**
 * Checks what nginx passes on, and what it does not: the browser's address, bodies, and long polling.
 * @returns what is wrong, one line each
 */
export async function checkProxy({ stack, db }: { stack: RolloutStack; db: Db }): Promise<string[]> {
  const problems: string[] = [];
  const expected = (what: string, found: unknown, wanted: unknown) => {
    if (found !== wanted) problems.push(`${what}: ${String(found)} instead of ${String(wanted)}`);
  };
  const password = `Aa1-${randomUUID()}`;
  const { id, token } = await openAccount(
    { db, config: stack.config },
    'freelance',
    await hashPassword(password, 'this program'),
  );
  const { users, sessions } = modelsOf(db);
  const { email } = (await users.findById(id).lean())!;
  const signIn = await fetch(stack.url + paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
    body: JSON.stringify({ email, password }),
  });
  expected('a sign-in', signIn.status, 200);
  const [session] = await sessions.find({ user_id: id }).sort({ created_at: -1, _id: -1 }).limit(1).lean();
  expected('the address of a browser that claims another', session?.address, '127.0.0.1');

  const upload = async (megabytes: number) => {
    const form = new FormData();
    form.set('prompt', 'On a wooden table');
    form.set('images', new Blob([new Uint8Array(megabytes * 2 ** 20)]), 'photo.png');
    const headers = { authorization: `Bearer ${token}` };
    const reply = await fetch(stack.url + paths.generations, { method: 'POST', headers, body: form });
    return { status: reply.status, server: (await reply.text()).includes('nginx') ? 'nginx' : 'Packshot' };
  };
  // nginx refuses what no form may have; the rest is for the server to judge.
  expected('82 MB', (await upload(82)).server, 'nginx');
  expected('15 MB', (await upload(15)).server, 'Packshot');

  const socket = io(stack.url, {
    path: paths.socket,
    auth: { token },
    transports: ['polling'],
    forceNew: true,
  });
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('connect_error', () => resolve(false));
  });
  expected('a socket by long polling', connected, true);
  socket.disconnect();
  return problems;
}
