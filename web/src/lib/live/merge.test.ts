import { describe, expect, it } from 'vitest';
import type { GenerationView } from '#contract';
import { sampleGeneration, sampleMe } from '#tests/support/samples.ts';
import {
  type GenerationPages,
  type ListChanges,
  mergeIntoPages,
  mergeMe,
  mergePages,
  mergeSubscription,
} from './merge.ts';

function view(
  id: string,
  minute: number,
  revision = 1,
  state: GenerationView['state'] = 'queued',
): GenerationView {
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  return sampleGeneration({ id, createdAt, revision, state });
}

function pages(nextCursor: string | null, ...lists: GenerationView[][]): GenerationPages {
  return {
    pageParams: lists.map((_, index) => (index === 0 ? null : `cursor ${index}`)),
    pages: lists.map((generations, index) => ({
      generations,
      nextCursor: index === lists.length - 1 ? nextCursor : `cursor ${index + 1}`,
    })),
  };
}

const ids = (cached: GenerationPages) => cached.pages.map((page) => page.generations.map(({ id }) => id));
const find = (cached: GenerationPages, id: string) =>
  cached.pages.flatMap((page) => page.generations).find((generation) => generation.id === id);

describe('mergeIntoPages', () => {
  it('puts a newer revision in place, on whichever page it is', () => {
    const cached = pages(null, [view('c', 3)], [view('b', 2), view('a', 1)]);
    const merged = mergeIntoPages(cached, view('a', 1, 2, 'running'));
    expect(find(merged, 'a')?.state).toBe('running');
    expect(ids(merged)).toEqual([['c'], ['b', 'a']]);
  });

  it('ignores an older and an equal revision', () => {
    const cached = pages(null, [view('a', 1, 5, 'succeeded')]);
    expect(mergeIntoPages(cached, view('a', 1, 4, 'running'))).toBe(cached);
    expect(mergeIntoPages(cached, view('a', 1, 5, 'running'))).toBe(cached);
  });

  it('inserts a new one by age', () => {
    const cached = pages(null, [view('d', 4)], [view('b', 2)]);
    expect(ids(mergeIntoPages(cached, view('e', 5)))).toEqual([['e', 'd'], ['b']]);
    expect(ids(mergeIntoPages(cached, view('c', 3)))).toEqual([['d'], ['c', 'b']]);
    expect(ids(mergeIntoPages(cached, view('a', 1)))).toEqual([['d'], ['b', 'a']]);
  });

  it('leaves out one whose page is not loaded', () => {
    const cached = pages('more', [view('d', 4)]);
    expect(mergeIntoPages(cached, view('a', 1))).toBe(cached);
  });

  it('fills an empty list', () => {
    expect(ids(mergeIntoPages(pages(null, []), view('a', 1)))).toEqual([['a']]);
  });
});

const changes = (...arrived: string[]): ListChanges => ({ arrived: new Set(arrived), removed: new Map() });

describe('mergePages', () => {
  it('keeps what an event brought during the request', () => {
    const cached = pages(null, [view('c', 3), view('b', 2, 7, 'succeeded'), view('a', 1)]);
    const fetched = pages(null, [view('b', 2, 6, 'running'), view('a', 1, 2, 'running')]);
    const merged = mergePages(cached, fetched, changes('c'));
    expect(ids(merged)).toEqual([['c', 'b', 'a']]);
    expect(find(merged, 'b')?.state).toBe('succeeded');
    expect(find(merged, 'a')?.state).toBe('running');
  });

  it('uses the fetched list if nothing is cached', () => {
    const fetched = pages(null, [view('a', 1)]);
    expect(mergePages(undefined, fetched, changes())).toEqual(fetched);
  });

  it('does not bring back pages that the fetch left out', () => {
    const cached = pages(null, [view('b', 2)], [view('a', 1)]);
    expect(ids(mergePages(cached, pages('cursor 1', [view('b', 2)]), changes()))).toEqual([['b']]);
  });

  it('drops what was deleted in another window while events were lost', () => {
    const cached = pages(null, [view('b', 2), view('a', 1)]);
    expect(ids(mergePages(cached, pages(null, [view('a', 1)]), changes()))).toEqual([['a']]);
  });

  it('does not bring back what was deleted during the request, but what was restored', () => {
    const cached = pages(null, [view('a', 1)]);
    const deleted = { ...changes('b'), removed: new Map([['b', 5]]) };
    const fetched = (revision: number) => pages(null, [view('b', 2, revision), view('a', 1)]);
    expect(ids(mergePages(cached, fetched(4), deleted))).toEqual([['a']]);
    expect(ids(mergePages(undefined, fetched(5), deleted))).toEqual([['a']]);
    expect(ids(mergePages(cached, fetched(6), deleted))).toEqual([['b', 'a']]);
  });
});

describe('the account', () => {
  const me = (id: string, generationsLeft: number, revision: number) =>
    sampleMe({ id, subscription: { generationsLeft, revision } });

  it('keeps a newer balance than the fetched one, only for the same seller', () => {
    expect(mergeMe(me('one', 80, 5), me('one', 81, 4))?.subscription.generationsLeft).toBe(80);
    expect(mergeMe(me('one', 80, 5), me('two', 100, 1))?.subscription.generationsLeft).toBe(100);
    expect(mergeMe(me('one', 80, 5), null)).toBeNull();
  });

  it('takes a newer balance from an event and ignores an older one', () => {
    const cached = me('one', 80, 5);
    expect(mergeSubscription(cached, me('one', 79, 6).subscription)?.subscription.generationsLeft).toBe(79);
    expect(mergeSubscription(cached, me('one', 81, 4).subscription)?.subscription.generationsLeft).toBe(80);
    expect(mergeSubscription(null, cached.subscription)).toBeNull();
  });
});
