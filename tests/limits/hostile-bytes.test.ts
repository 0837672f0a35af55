/**
 * Every place where the server reads bytes of strangers (docs/parsers.md): what is built to take long takes hardly more
 * processor time than something harmless of the same size.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { paths } from '#contract';
import { connectionOf } from '#shared/data/collection.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { eventually } from '#tests/support/harness.ts';
import { hostileBodies, hostileMessages } from '#tests/support/hostile-bodies.ts';
import { giveChallenge, hostilePasskeys } from '#tests/support/hostile-passkeys.ts';
import { hostileHeads } from '#tests/support/hostile-requests.ts';
import { limitMs } from '#tests/support/machine.ts';
import { medianCpuMs } from '#tests/support/process-usage.ts';
import { type RawRequest, sendRaw } from '#tests/support/raw-http.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();

/** Each request is sent so often. */
const repeats = 5;
/** What a hostile request may take: so many times what a harmless one takes, and so much more, in ms. */
const mostTimes = 2;
const mostMoreMs = 50;

/** The first column of the first table of docs/parsers.md. */
async function readersOfDocument(): Promise<string[]> {
  const text = await readFile(join(rootFolder, 'docs/parsers.md'), 'utf8');
  const [section] = text.split("## In the server's process")[1]!.split('\n## ');
  const [, , ...readers] = [...section!.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name!);
  return readers;
}

test.skipIf(process.platform !== 'linux')(
  'what is built to take long takes the server hardly more processor time than something harmless',
  { timeout: limitMs(300_000) },
  async ({ stack }) => {
    const seller = await stack.seller({ plan: 'enterprise' });
    const server = await stack.startServerProcess();
    const { id } = await seller.submit();
    await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
    /** Processor time of the server and its decoders for one request, the median, and the statuses of the answers. */
    const measure = async (request: RawRequest) => {
      // As if the window of the limit had passed: what is refused by it is not read.
      await connectionOf(stack.db).collection('seller_batch_new').deleteMany({});
      const { usedMs, answers } = await medianCpuMs(server.pid, repeats, async () => {
        await giveChallenge(stack.models, session!._id);
        return (await sendRaw(server.url!, request)).status;
      });
      expect(answers).not.toContain(429);
      return { ms: usedMs, statuses: [...new Set(answers)].join() };
    };
    const authorization = `Bearer ${seller.token}`;
    const apiKey = await giveKey(stack, seller);
    const session = await stack.models.sessions.findOne({ user_id: seller.id }).lean();
    const makeCases = async () => [
      ...hostileHeads(authorization, paths.generationImage(id, 'image')),
      ...(await hostileBodies(authorization, id, stack.config.billing.webhookSecret)),
      hostileMessages(apiKey),
      hostilePasskeys(server.url!, authorization),
    ];
    // The first ones take longer. Each address may sign in only a few times, so the others are made anew.
    for (const { harmless } of await makeCases()) await measure(harmless);
    const cases = await makeCases();
    expect(cases.map(({ reader }) => reader).toSorted()).toEqual((await readersOfDocument()).toSorted());
    const measured: string[] = [];
    const tooLong: string[] = [];
    for (const { reader, harmless, hostile } of cases) {
      const usual = await measure(harmless);
      measured.push(`${reader}, something harmless: ${usual.ms} ms (${usual.statuses})`);
      for (const [what, request] of hostile) {
        const { ms, statuses } = await measure(request);
        measured.push(`${reader}, ${what}: ${ms} ms (${statuses})`);
        if (ms > usual.ms * mostTimes + limitMs(mostMoreMs)) tooLong.push(measured.at(-1)!);
      }
    }
    // The last passkey was read: it has used its challenge up.
    expect(await stack.models.passkeyChallenges.countDocuments()).toBe(0);
    console.info(measured.join('\n'));
    expect(tooLong).toEqual([]);
  },
);
