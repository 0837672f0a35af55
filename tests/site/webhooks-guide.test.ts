/** The examples of the guide to webhooks, run as they are written there. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { testEvent, type WebhookList, webhookTries, webhookWaits } from '#contract';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { webhookHeaders } from '#shared/webhooks/signature.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import { eventually } from '#tests/support/harness.ts';
import { testWithStack } from '#tests/support/test.ts';
import { deliveriesTo, makeWebhook, sendTest } from '#tests/support/webhook-receiver.ts';

const test = testWithStack({ settings: { WEBHOOKS_TO_LOOPBACK: 'true' } });

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', ''], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const guide = await readFile(join(rootFolder, 'web/src/content/guides/webhooks.md'), 'utf8');

/** The examples in a language. */
function examplesIn(language: 'sh' | 'js' | 'py'): string[] {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  expect(blocks).toHaveLength(guide.split(`\`\`\`${language}\n`).length - 1);
  return blocks.map(([, block]) => block!);
}

const receivers: [name: string, program: string, file: string, text: () => string][] = [
  ['Node with the library', process.execPath, 'library.mjs', () => examplesIn('js')[0]!],
  ['Node alone', process.execPath, 'alone.mjs', () => examplesIn('js')[1]!],
  ['Python', 'python3', 'receiver.py', () => examplesIn('py')[0]!],
];

test.for(receivers)(
  '%s takes what we sent, and refuses all else',
  async ([, program, name, text], { stack, skip, onTestFinished }) => {
    if (program === 'python3' && !hasPython()) skip();
    const seller = await stack.seller();
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const { id, secret } = await makeWebhook(seller, url);
    // Where the library is found.
    const folder = await mkdtemp(join(rootFolder, 'node_modules', '.guide-'));
    await writeFile(join(folder, name), text());
    const env = { ...childEnvironment({}), PORT: String(port), WEBHOOK_SECRET: secret };
    const receiver = spawn(program, [join(folder, name)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    receiver.stdout.on('data', (piece) => {
      output += piece;
    });
    onTestFinished(async () => {
      const ended = once(receiver, 'exit');
      receiver.kill();
      await ended;
      await rm(folder, { recursive: true });
    });
    const post = async (headers: Record<string, string>, body: string) =>
      (await fetch(url, { method: 'POST', headers, body }).catch(() => null))?.status;
    await expect.poll(() => post({}, '{}'), eventually).toBe(400);

    await sendTest(seller, id);
    await expect.poll(async () => (await deliveriesTo(seller, id))[0]!.state, eventually).toBe('delivered');
    await expect.poll(() => output, eventually).toContain(testEvent);

    const body = JSON.stringify({ type: 'of the test', data: {} });
    const sign = (at: Date, secrets = [secret]) => webhookHeaders(secrets, { id: 'msg_1', at, body });
    const now = new Date();
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect(await post(sign(now, [other, secret]), body)).toBe(204);
    for (const [why, headers, sent] of [
      ['altered', sign(now), `${body} `],
      ['old', sign(new Date(now.getTime() - 301_000)), body],
      ['of the future', sign(new Date(now.getTime() + 330_000)), body],
      ['of somebody else', sign(now, [other]), body],
      ['with another id', { ...sign(now), 'webhook-id': 'msg_2' }, body],
      ['without a signature', { ...sign(now), 'webhook-signature': '' }, body],
    ] as const) {
      expect(await post(headers, sent), why).toBe(400);
    }
    expect(output.match(/of the test/g)).toHaveLength(1);
  },
);

test('the example of the stream reads what happens, and goes on after a lost connection', async ({
  stack,
  onTestFinished,
}) => {
  const seller = await stack.seller();
  const key = await giveKey(stack, seller);
  const folder = await mkdtemp(join(rootFolder, 'node_modules', '.guide-'));
  await writeFile(join(folder, 'events.mjs'), examplesIn('js')[2]!);
  const env = { ...childEnvironment({}), PACKSHOT: stack.url, PACKSHOT_KEY: key };
  const reader = spawn(process.execPath, [join(folder, 'events.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(reader, 'exit');
  onTestFinished(async () => {
    reader.kill();
    await ended;
    await rm(folder, { recursive: true });
  });
  let [output, errors] = ['', ''];
  reader.stdout.on('data', (piece) => {
    output += piece;
  });
  reader.stderr.on('data', (piece) => {
    errors += piece;
  });
  const made: string[] = [];
  const make = async () => made.push((await insertImage(stack, seller))._id);
  await expect
    .poll(async () => {
      if (output === '') await make();
      return output;
    }, eventually)
    .not.toBe('');
  await stack.restartServer();
  await make();
  await expect.poll(() => output, eventually).toContain(made.at(-1)!);
  const first = made.findIndex((id) => output.includes(id));
  expect(output).toBe(
    made
      .slice(first)
      .map((id) => `generation.succeeded ${id}\n`)
      .join(''),
  );
  // Who is refused is told why.
  await stack.models.apiKeys.deleteOne({ user_id: seller.id });
  expect((await ended)[0]).toBe(1);
  expect(errors).toContain('This API key is not valid.');
});

test('the example with curl makes a webhook, and the waits of the text are those of the product', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const key = await giveKey(stack, seller);
  const env = { ...childEnvironment({}), PACKSHOT: stack.url, PACKSHOT_KEY: key };
  await promisify(execFile)('bash', ['-c', `set -euo pipefail\n${examplesIn('sh').join('\n')}`], { env });
  const { body } = await callWithKey<WebhookList>(stack.url, key, 'GET', '/api/v1/webhooks');
  expect(body.webhooks).toMatchObject([{ url: 'https://shop.example/packshot', enabled: true }]);
  expect(webhookTries).toBe(8);
  expect(guide).toContain('5 seconds, 5 minutes, half an hour, 2, 4, 7 and 10 hours');
  expect(webhookWaits).toEqual([5, 300, 1_800, 2 * 3_600, 4 * 3_600, 7 * 3_600, 10 * 3_600]);
});
