import { beforeEach, expect, test } from 'vitest';
import { releaseHeader } from '#contract';
import { createReleaseWatch } from './release.ts';

const minute = 60_000;
const day = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
let watch: ReturnType<typeof createReleaseWatch>;
beforeEach(() => {
  watch = createReleaseWatch('own');
});

/** Records replies of a release at times after the start, in ms. @returns the stage then */
function answer(release: string, ...times: number[]) {
  for (const time of times) {
    watch.record(new Headers({ [releaseHeader]: release, date: new Date(start + time).toUTCString() }));
  }
  return watch.stage();
}

test('another release that answers alone for a minute is said, and after a day asked about', () => {
  expect(answer('own', 0)).toBe('same');
  expect(answer('next', minute, minute, minute, minute)).toBe('same');
  expect(answer('next', 2 * minute)).toBe('updated');
  expect(answer('next', day)).toBe('updated');
  expect(answer('next', day + minute)).toBe('outdated');
});

test('a reply after a long sleep says nothing by itself, nor do replies of two releases in turn', () => {
  expect(answer('next', 0, 3 * day)).toBe('same');
  for (let at = 0; at < 2 * day; at += minute) {
    expect([answer('own', at), answer('next', at, at, at, at)]).toEqual(['same', 'same']);
  }
});

test('a release that is taken back is not an update any more, and its day begins anew', () => {
  answer('next', 0, 1, minute);
  expect(watch.stage()).toBe('updated');
  expect(answer('own', 2 * minute)).toBe('same');
  expect(answer('next', day, day, day + minute)).toBe('updated');
});

test('a third release does not begin the day anew', () => {
  answer('next', 0, 1, minute);
  expect(answer('third', day)).toBe('outdated');
});

test('"Later" is quiet until the day is over, and then for an hour at a time', () => {
  answer('next', 0, 1, minute);
  watch.later();
  expect(watch.stage()).toBe('same');
  expect(answer('next', day - minute)).toBe('same');
  expect(answer('next', day)).toBe('outdated');
  watch.later();
  expect(answer('next', day + 59 * minute)).toBe('same');
  expect(answer('next', day + 60 * minute)).toBe('outdated');
});

test('listeners hear of each change of the stage, once', () => {
  const heard: string[] = [];
  watch.subscribe(() => heard.push(watch.stage()));
  answer('next', 0, 1, minute, minute, day, day + minute);
  expect(heard).toEqual(['updated', 'outdated']);
});

test('a page without a release, and replies without one or without a date, say nothing', () => {
  watch = createReleaseWatch(undefined);
  expect(answer('next', 0, 1, day)).toBe('same');
  watch = createReleaseWatch('own');
  for (let count = 0; count < 5; count += 1) {
    watch.record(new Headers({ [releaseHeader]: 'next' }));
    watch.record(new Headers({ [releaseHeader]: 'next', date: 'soon' }));
    watch.record(new Headers({ date: new Date(start + count * day).toUTCString() }));
  }
  expect(watch.stage()).toBe('same');
});
