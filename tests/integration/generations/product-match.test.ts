/** Images are shown before they are compared with their photos; a comparison that is given up costs its match alone. */
import { expect } from 'vitest';
import { type GenerationView, paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { stateOf } from '#tests/support/memory.ts';
import { isCompared, makeUncompared, matchProcess, testProductMatch } from './product-match-steps.ts';

const test = testProductMatch();

test('an image is shown, and its slot is free, while its comparison has not answered; its match follows', async ({
  stack,
  seller,
  window,
  photos,
  worker,
}) => {
  const { pid, first, second } = await makeUncompared({ seller, window, photos, worker });
  const star = { favourite: true };
  const favourite = await call<GenerationView>(seller, 'PATCH', paths.generation(first.id), star);
  expect(favourite.body).toMatchObject({ favourite: true, match: null });

  process.kill(pid, 'SIGCONT');
  const compared = await window.until(first.id, isCompared);
  // The stand-in's picture shows something else.
  expect(compared).toMatchObject({ match: { level: 'low' }, remake: 'offered', favourite: true });
  expect(compared.revision).toBe(favourite.body.revision + 1);
  await window.until(second.id, isCompared);
  expect(await seller.generation(first.id)).toEqual(compared);
  await expect.poll(() => stack.audit()).toEqual([]);
});

test('a process that ends in a comparison costs that match: the worker lives, and the next image gets its own', async ({
  seller,
  window,
  photos,
  worker,
}) => {
  const { pid: idle, first, second } = await makeUncompared({ seller, window, photos, worker });
  // The next process begins with the first image. It dies before it can have loaded its model.
  process.kill(idle, 'SIGKILL');
  process.kill(await matchProcess(worker, idle), 'SIGABRT');
  await window.until(second.id, isCompared);
  expect(await seller.generation(first.id)).toMatchObject({ state: 'succeeded', match: null });
  expect((await seller.request(paths.generationImage(first.id, 'image'))).status).toBe(200);
  expect(await stateOf(worker.pid)).toMatch(/^[RSD]$/);
});
