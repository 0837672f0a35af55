/** The process that compares images: what its death costs, and what it may do. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { matcherFolder as folder, openMatcher, tinPhoto as photo } from '#tests/support/matcher.ts';
import { stateOf } from '#tests/support/memory.ts';

test('a process that ends costs its comparison: the next one gets another process', async () => {
  const matcher = openMatcher();
  const compared = matcher.match(photo, photo.path);
  const first = matcher.pids()[0]!;
  process.kill(first, 'SIGKILL');
  await expect(compared).rejects.toThrow('the process ended by SIGKILL');
  expect(await matcher.match(photo, photo.path)).toMatchObject({ level: 'high' });
  expect(matcher.pids()[0]).not.toBe(first);
});

test('a process that has nothing to do for a while ends, and the next comparison gets another one', async () => {
  const matcher = openMatcher({ idleSeconds: 0 });
  const compared = matcher.match(photo, photo.path);
  const first = matcher.pids()[0]!;
  // It does not end while it compares.
  expect(await compared).toMatchObject({ level: 'high' });
  await expect.poll(() => stateOf(first), eventually).toMatch(/^(gone|Z)$/);
  const again = matcher.match(photo, photo.path);
  expect(matcher.pids()[0]).not.toBe(first);
  expect(await again).toMatchObject({ level: 'high' });
});

test('a process that stands still is given up, and the next comparison gets another one', {
  timeout: limitMs(120_000),
}, async () => {
  // Long enough to start a process that has a lower priority than the tests beside it.
  const matcher = openMatcher({ seconds: limitMs(15_000) / 1_000 });
  // The answer of a process that works, without loading the model.
  const answers = () => expect(matcher.match(photo, join(folder, 'missing'))).rejects.toThrow('ENOENT');
  await answers();
  const first = matcher.pids()[0]!;
  process.kill(first, 'SIGSTOP');
  await expect(matcher.match(photo, photo.path)).rejects.toThrow('no answer in');
  await expect.poll(() => stateOf(first)).toMatch(/^(gone|Z)$/);
  await answers();
  expect(matcher.pids()[0]).not.toBe(first);
});

test('a comparison that takes too much processor time is given up', async () => {
  const matcher = openMatcher({ processorSeconds: 0 });
  await expect(matcher.match(photo, photo.path)).rejects.toThrow('the process ended by SIGKILL');
});

test.skipIf(process.platform !== 'linux')(
  'the process has a lower priority, is killed first when memory is short, and has no secrets',
  async () => {
    const matcher = openMatcher();
    // Starts it without loading the model.
    await expect(matcher.match(photo, join(folder, 'missing'))).rejects.toThrow('ENOENT');
    const pid = matcher.pids()[0];
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const own = await readFile('/proc/self/stat', 'utf8');
    const niceness = (text: string) => Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]);
    expect(niceness(stat)).toBe(Math.min(19, niceness(own) + 5));
    const ownScore = Number(await readFile('/proc/self/oom_score_adj', 'utf8'));
    const score = Number(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8'));
    expect(score).toBe(Math.max(500, Math.min(1_000, ownScore + 50)));
    const names = (await readFile(`/proc/${pid}/environ`, 'latin1'))
      .split('\0')
      .map((one) => one.split('=')[0]);
    expect(names.filter((name) => name && !name.startsWith('NODE_CHANNEL'))).toEqual(['MALLOC_ARENA_MAX']);
  },
);
