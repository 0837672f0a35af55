import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createRotation, type HoldReason, offsetFromCentre, type Rotation } from './rotation.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

const seconds = (number: number) => vi.advanceTimersByTime(number * 1000);
const index = (rotation: Rotation) => rotation.getState().index;

function shownRotation(count = 8): Rotation {
  const rotation = createRotation(count);
  rotation.hold('not-shown', false);
  return rotation;
}

describe('by itself', () => {
  test('it moves after 12 seconds, and every 12 seconds after that, round and round', () => {
    const rotation = shownRotation(3);
    seconds(11.999);
    expect(index(rotation)).toBe(0);
    seconds(0.001);
    expect(rotation.getState()).toMatchObject({ index: 1, locked: true, movedByVisitor: false });
    seconds(11.999);
    expect(index(rotation)).toBe(1);
    seconds(0.001);
    expect(index(rotation)).toBe(2);
    seconds(12);
    expect(index(rotation)).toBe(0);
  });

  test('it does not move before it is shown', () => {
    const rotation = createRotation(8);
    seconds(60);
    expect(index(rotation)).toBe(0);
    rotation.hold('not-shown', false);
    seconds(12);
    expect(index(rotation)).toBe(1);
  });

  const reasons: HoldReason[] = ['paused', 'hover', 'focus', 'hidden-tab', 'not-shown', 'reduced-motion'];
  test.each(reasons)('it does not move while held: %s', (reason) => {
    const rotation = shownRotation();
    seconds(11);
    rotation.hold(reason, true);
    seconds(600);
    expect(index(rotation)).toBe(0);
    // The 12 seconds start again.
    rotation.hold(reason, false);
    seconds(11.999);
    expect(index(rotation)).toBe(0);
    seconds(0.001);
    expect(index(rotation)).toBe(1);
  });

  test('it moves only after the last of several reasons has ended', () => {
    const rotation = shownRotation();
    rotation.hold('hover', true);
    rotation.hold('focus', true);
    rotation.hold('hover', false);
    seconds(60);
    expect(index(rotation)).toBe(0);
    rotation.hold('focus', false);
    seconds(12);
    expect(index(rotation)).toBe(1);
  });

  test('a reason that is given again does not delay it', () => {
    const rotation = shownRotation();
    seconds(11);
    rotation.hold('hover', false);
    seconds(1);
    expect(index(rotation)).toBe(1);
  });
});

describe('a move of the visitor', () => {
  test('is made at once, also backwards and by two, and starts the 12 seconds again', () => {
    const rotation = shownRotation();
    seconds(11);
    rotation.move(-1);
    expect(rotation.getState()).toMatchObject({ index: 7, locked: true, movedByVisitor: true });
    seconds(11.999);
    expect(index(rotation)).toBe(7);
    seconds(0.001);
    expect(rotation.getState()).toMatchObject({ index: 0, movedByVisitor: false });
    seconds(5);
    rotation.move(2);
    expect(index(rotation)).toBe(2);
  });

  test('is ignored for 5 seconds after a move, whoever made it', () => {
    const rotation = shownRotation();
    rotation.move(1);
    seconds(4.999);
    rotation.move(1);
    expect(rotation.getState()).toMatchObject({ index: 1, locked: true });
    seconds(0.001);
    expect(rotation.getState().locked).toBe(false);
    rotation.move(1);
    expect(index(rotation)).toBe(2);
    seconds(12);
    expect(index(rotation)).toBe(3);
    rotation.move(1);
    expect(index(rotation)).toBe(3);
    seconds(5);
    rotation.move(1);
    expect(index(rotation)).toBe(4);
  });

  test('an ignored move delays neither the end of the lock nor the next move by itself', () => {
    const rotation = shownRotation();
    rotation.move(1);
    seconds(4);
    rotation.move(1);
    seconds(1);
    expect(rotation.getState().locked).toBe(false);
    seconds(7);
    expect(index(rotation)).toBe(2);
  });

  test.each<HoldReason>(['paused', 'reduced-motion'])(
    'works while held (%s), and is locked too',
    (reason) => {
      const rotation = shownRotation();
      rotation.hold(reason, true);
      rotation.move(1);
      rotation.move(1);
      expect(index(rotation)).toBe(1);
      seconds(5);
      rotation.move(1);
      expect(index(rotation)).toBe(2);
      seconds(60);
      expect(index(rotation)).toBe(2);
    },
  );

  test('to the slide in the centre is none: nothing is locked', () => {
    const rotation = shownRotation();
    rotation.move(0);
    rotation.move(8);
    expect(rotation.getState()).toMatchObject({ index: 0, locked: false });
  });
});

describe('the pause button', () => {
  test('pauses until it is pressed again, also when a pointer comes and goes', () => {
    const rotation = shownRotation();
    rotation.togglePaused();
    expect(rotation.getState().paused).toBe(true);
    rotation.hold('hover', true);
    rotation.hold('hover', false);
    seconds(60);
    expect(index(rotation)).toBe(0);
    rotation.togglePaused();
    seconds(12);
    expect(index(rotation)).toBe(1);
  });

  test('continues although the pointer and the focus are on it, but not in a hidden tab', () => {
    const rotation = shownRotation();
    rotation.hold('hover', true);
    rotation.hold('focus', true);
    rotation.togglePaused();
    rotation.hold('hidden-tab', true);
    rotation.togglePaused();
    seconds(60);
    expect(index(rotation)).toBe(0);
    rotation.hold('hidden-tab', false);
    seconds(12);
    expect(index(rotation)).toBe(1);
    // The pointer comes back.
    rotation.hold('hover', true);
    seconds(60);
    expect(index(rotation)).toBe(1);
  });
});

test('stopping ends its timers and the lock; shown again, it works as before', () => {
  const rotation = shownRotation();
  rotation.move(1);
  rotation.stop();
  expect(vi.getTimerCount()).toBe(0);
  expect(rotation.getState()).toMatchObject({ index: 1, locked: false });
  rotation.hold('not-shown', false);
  seconds(12);
  expect(index(rotation)).toBe(2);
});

test('listeners hear of every change until they unsubscribe', () => {
  const rotation = shownRotation();
  const listener = vi.fn();
  const unsubscribe = rotation.subscribe(listener);
  rotation.move(1);
  expect(listener).toHaveBeenCalledTimes(1);
  seconds(5);
  expect(listener).toHaveBeenCalledTimes(2);
  unsubscribe();
  rotation.move(1);
  expect(listener).toHaveBeenCalledTimes(2);
});

test('offsets go the shorter way round', () => {
  const offsets = (centre: number, count: number) =>
    Array.from({ length: count }, (_, slide) => offsetFromCentre(slide, centre, count));
  expect(offsets(0, 8)).toEqual([0, 1, 2, 3, 4, -3, -2, -1]);
  expect(offsets(6, 8)).toEqual([2, 3, 4, -3, -2, -1, 0, 1]);
  expect(offsets(9, 10)).toEqual([1, 2, 3, 4, 5, -4, -3, -2, -1, 0]);
});
