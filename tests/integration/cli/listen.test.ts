/** `packshot webhooks listen`: what a program on this machine gets of what happens, and how the command ends. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { newWebhookSecret } from '#shared/webhooks/signature.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { packshot, startPackshot } from '#tests/support/packshot-command.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';
import { startWebhookReceiver, verified } from '#tests/support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

const test = testWithStack({ workers: 0 })
  .extend('folder', { scope: 'file' }, ({ stack }, { onCleanup }) => temporaryFolder(stack, onCleanup))
  .extend('person', async ({ stack, folder }) => {
    const own = join(folder, randomUUID());
    await mkdir(own);
    const seller = await stack.seller();
    return { seller, folder: own, url: stack.url, key: await giveKey(stack, seller, { name: 'Listen' }) };
  });
const linesOf = (stdout: string) => stdout.trimEnd().split('\n');

test(
  'events come signed, once each and in order: also what happened while the server was away, and what was not taken at first',
  async ({ stack, person, onTestFinished }) => {
    const secret = newWebhookSecret();
    const forward = receiver.url('/hook');
    receiver.ways.set('/hook', [{ status: 204 }, { status: 500 }, 'reset', { status: 204 }]);
    const before = await insertImage(stack, person.seller);
    const listening = startPackshot(
      person,
      'webhooks',
      'listen',
      '--forward',
      forward,
      '--secret',
      secret,
      '--json',
    );
    onTestFinished(() => void listening.kill('SIGKILL'));
    const made: string[] = [];
    const make = async () => made.push((await insertImage(stack, person.seller))._id);
    // It listens from now on, whenever that is.
    await expect
      .poll(async () => {
        if (receiver.at('/hook').length === 0) await make();
        return receiver.at('/hook').length;
      }, eventually)
      .toBeGreaterThan(0);
    await make();
    await stack.restartServer();
    await make();
    await expect
      .poll(() => receiver.at('/hook').some(({ body }) => body.includes(made.at(-1)!)), eventually)
      .toBe(true);
    listening.kill('SIGINT');
    const { status, stdout, stderr } = await listening.ended;
    expect([status, stderr]).toEqual([0, expect.stringContaining('listening, until Ctrl-C\n')]);

    const arrived = receiver.at('/hook').map((each) => ({ ...each, event: verified(each, secret) }));
    const ids = arrived.map(({ event }) => event.data.id as string);
    const [first, ...others] = [...new Set(ids)];
    expect([first, ...others]).toEqual(made.slice(made.indexOf(first!)));
    expect(ids).not.toContain(before._id);
    // The second one was sent three times, each other one once.
    expect(ids.filter((id) => id === others[0])).toHaveLength(3);
    expect(ids).toHaveLength(others.length + 3);
    const [opened, ...printed] = linesOf(stdout).map((line) => JSON.parse(line));
    expect(opened).toEqual({ forward, secret });
    expect(printed).toEqual(
      [first, ...others].map((id) => ({
        id: arrived.find(({ event }) => event.data.id === id)!.headers['webhook-id'],
        event: arrived.find(({ event }) => event.data.id === id)!.event,
        status: 204,
        problem: null,
      })),
    );

    // Started again, it goes on where it was told to.
    const again = startPackshot(person, 'webhooks', 'listen', '--json', '--after', printed[0].id);
    onTestFinished(() => void again.kill('SIGKILL'));
    await stack.models.apiKeys.deleteOne({ user_id: person.seller.id });
    const ended = await again.ended;
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('This API key is not valid.');
  },
  limitMs(90_000),
);

test('a secret is printed, and events alone without an address', async ({
  stack,
  person,
  onTestFinished,
}) => {
  const row = await insertImage(stack, person.seller);
  const [event] = await stack.models.sellerEvents.find({ profile: person.seller.id }).lean();
  await insertImage(stack, person.seller);
  const path = `/plain-${person.seller.id}`;
  const forward = receiver.url(path);
  const both = [
    startPackshot(person, 'webhooks', 'listen', '--forward', forward, '--after', event!._id),
    startPackshot(person, 'webhooks', 'listen', '--after', event!._id),
  ];
  onTestFinished(() => {
    for (const each of both) each.kill('SIGKILL');
  });
  await expect
    .poll(() => both.map((each) => each.printed().includes('Z  ')), eventually)
    .toEqual([true, true]);
  await stack.models.apiKeys.deleteOne({ user_id: person.seller.id });
  const [signed, alone] = await Promise.all(both.map(({ ended }) => ended));
  const [secret, line] = linesOf(signed!.stdout);
  expect(receiver.at(path)).toHaveLength(1);
  expect(verified(receiver.at(path)[0]!, secret!.replace('Signed with ', '')).type).toBe(
    'generation.succeeded',
  );
  expect(line).toMatch(/^\S+Z {2}generation\.succeeded {2}[0-9a-f]{24} {2}204$/);
  expect(line).not.toContain(row._id);
  expect(linesOf(alone!.stdout)[0]).toBe(line!.replace(/ {2}204$/, ''));
});

test('what is wrong is said before anything is opened', async ({ person }) => {
  const wrong: [words: string[], status: number, text: string][] = [
    [['webhooks'], 1, 'it takes listen'],
    [['webhooks', 'send'], 1, 'must be one of listen'],
    [['webhooks', 'listen', '--forward', 'localhost:3000'], 1, 'http://'],
    [['webhooks', 'listen', '--secret', '%'], 1, '--secret'],
    [['webhooks', 'listen', '--after', 'msg_0'], 2, 'This is no id of an event.'],
    [['webhooks', 'listen', '--after', `msg_${'0'.repeat(32)}`], 2, 'not known any more'],
  ];
  const runs = await Promise.all(wrong.map(([words]) => packshot(person, ...words)));
  for (const [index, [words, status, text]] of wrong.entries()) {
    expect([words, runs[index]!.status]).toEqual([words, status]);
    expect(runs[index]!.stderr).toContain(text);
  }
});
