import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { type GenerationView, paths } from '#contract';
import { sampleGeneration } from '#tests/support/samples.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { compareRevisionsOnWrite } from './cache.ts';
import { connectLive } from './connection.ts';

const waiting = sampleGeneration({ id: 'one', revision: 1, state: 'queued' });
let client: QueryClient;
let hidden = false;
/** What the server has: no event says so, because the socket reaches nobody. */
let stored: GenerationView;
const requests: string[] = [];

beforeEach(() => {
  hidden = false;
  stored = waiting;
  requests.length = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.stubGlobal('document', {
    get hidden() {
      return hidden;
    },
    addEventListener: () => {},
    removeEventListener: () => {},
  });
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path);
    return Response.json(
      path === paths.generation('one') ? stored : { generations: [stored], nextCursor: null },
    );
  });
  client = new QueryClient();
  compareRevisionsOnWrite(client);
  client.setQueryData(queryKeys.generationList, {
    pages: [{ generations: [waiting], nextCursor: null }],
    pageParams: [null],
  });
  client.setQueryData(queryKeys.generation('one'), waiting);
});

const cachedState = () => client.getQueryData<GenerationView>(queryKeys.generation('one'))?.state;

test('while the socket brings no events, a pending image is fetched until it has ended', async () => {
  const live = connectLive(client, () => {});
  stored = sampleGeneration({ id: 'one', revision: 2, state: 'running' });
  vi.advanceTimersToNextTimer();
  await expect.poll(cachedState).toBe('running');
  stored = sampleGeneration({ id: 'one', revision: 3, state: 'succeeded' });
  vi.advanceTimersToNextTimer();
  await expect.poll(cachedState).toBe('succeeded');
  requests.length = 0;
  vi.advanceTimersToNextTimer();
  expect(requests).toEqual([]);
  live.close();
});

test('a window that nobody sees fetches nothing', () => {
  const live = connectLive(client, () => {});
  hidden = true;
  vi.advanceTimersToNextTimer();
  expect(requests).toEqual([]);
  live.close();
  expect(vi.getTimerCount()).toBe(0);
});
