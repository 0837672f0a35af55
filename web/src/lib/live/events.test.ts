import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GenerationView, Me } from '#contract';
import { sampleGeneration, sampleMe, sampleSubscription } from '#tests/support/samples.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { receiveGeneration, receiveRemoval, receiveSubscription } from './events.ts';

const pending = sampleGeneration({ id: 'one', revision: 1, state: 'queued' });
let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(queryKeys.me, sampleMe({ subscription: { generationsLeft: 100, revision: 1 } }));
  client.setQueryData(queryKeys.generationList, {
    pages: [{ generations: [pending], nextCursor: null }],
    pageParams: [null],
  });
  client.setQueryData(queryKeys.generation('one'), pending);
});

const cached = () => client.getQueryData<GenerationView>(queryKeys.generation('one'));
const left = () => client.getQueryData<Me>(queryKeys.me)?.subscription.generationsLeft;
const stale = () =>
  client
    .getQueryCache()
    .findAll()
    .filter((query) => query.state.isInvalidated)
    .map((query) => query.queryKey.join(' '))
    .toSorted();

describe('a generation event', () => {
  it('goes into the cache and to the listener', () => {
    const onGeneration = vi.fn();
    const view = sampleGeneration({ id: 'one', revision: 2, state: 'running' });
    receiveGeneration(client, view, onGeneration);
    expect(onGeneration).toHaveBeenCalledExactlyOnceWith(view);
    expect(cached()).toEqual(view);
    expect(stale()).toEqual([]);
  });

  it.each([
    ['a state that the contract does not have', { ...pending, revision: 2, state: 'paused' }],
    ['a missing field', { id: 'one', revision: 2, state: 'succeeded' }],
    ['a revision that is no number', { ...pending, revision: '2' }],
    ['nothing', undefined],
  ])('with %s is ignored, and the data is fetched instead', (_what, payload) => {
    const onGeneration = vi.fn();
    receiveGeneration(client, payload, onGeneration);
    expect(onGeneration).not.toHaveBeenCalled();
    expect(cached()).toEqual(pending);
    expect(stale()).toEqual(['generation one', 'generations', 'me']);
  });
});

describe('a removal', () => {
  const listed = (queryKey: readonly unknown[] = queryKeys.generationList) =>
    client
      .getQueryData<{ pages: { generations: GenerationView[] }[] }>(queryKey)!
      .pages.flatMap(({ generations }) => generations.map(({ id }) => id));
  const view = (revision: number) => sampleGeneration({ id: 'one', revision, state: 'succeeded' });

  it('takes the generation out of the cache; older views stay away, a restored one comes back', () => {
    receiveRemoval(client, { id: 'one', revision: 3 });
    expect(cached()).toBeUndefined();
    expect(listed()).toEqual([]);
    receiveGeneration(client, view(3), () => {});
    expect(cached()).toBeUndefined();
    expect(listed()).toEqual([]);
    receiveGeneration(client, view(4), () => {});
    expect(cached()).toEqual(view(4));
    expect(listed()).toEqual(['one']);
    // The event of the removal comes late.
    receiveRemoval(client, { id: 'one', revision: 3 });
    expect(listed()).toEqual(['one']);
  });

  it('takes it out of the library as well, whatever that is searched for', () => {
    const page = { generations: [pending, sampleGeneration({ id: 'two' })], nextCursor: null };
    const key = queryKeys.library({ q: 'cup' });
    client.setQueryData(key, { pages: [page], pageParams: [null] });
    receiveRemoval(client, { id: 'two', revision: 3 });
    expect(listed(key)).toEqual(['one']);
  });

  it('that does not match the contract is ignored, and the data is fetched instead', () => {
    receiveRemoval(client, { id: 'one' });
    expect(cached()).toEqual(pending);
    expect(stale()).toEqual(['generation one', 'generations', 'me']);
  });
});

describe('a subscription event', () => {
  it('goes into the cached account', () => {
    receiveSubscription(client, sampleSubscription({ generationsLeft: 99, revision: 2 }));
    expect(left()).toBe(99);
    expect(stale()).toEqual([]);
  });

  it('that does not match the contract is ignored, and the data is fetched instead', () => {
    receiveSubscription(client, { ...sampleSubscription({ revision: 2 }), plan: 'gold', generationsLeft: 0 });
    expect(left()).toBe(100);
    expect(stale()).toEqual(['generation one', 'generations', 'me']);
  });
});
