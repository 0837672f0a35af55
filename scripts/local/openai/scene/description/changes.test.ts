/** How changes of a picture are interpreted. */
import { describe, expect, test } from 'vitest';
import { toHex } from '../colour.ts';
import { takeOf } from '../take.ts';
import { changedTake } from './changes.ts';
import { describeScene } from './describe.ts';

const oak = 'on an oak table by a window, soft morning light';
const changed = (instruction: string, earlier = [oak]) =>
  describeScene(`Change the first picture: ${instruction}`, earlier);
const before = describeScene(oak);

describe('a change keeps what it does not name', () => {
  test('a colour of the wall leaves the table', () => {
    const { surface, backdrop } = changed('make the wall dark blue');
    expect(surface).toEqual(before.surface);
    expect(backdrop.kind).toBe('wall');
    expect(backdrop.colour[2]).toBeGreaterThan(backdrop.colour[0] * 2);
  });

  test('a colour without a noun is the background', () => {
    expect(toHex(changed('make it #22aa88').backdrop.colour)).toBe('#22aa88');
  });

  test('another surface leaves the place', () => {
    const { surface, backdrop } = changed('put it on white marble');
    expect(surface.material).toBe('marble');
    expect(backdrop.view).toEqual(before.backdrop.view);
  });

  test('another place leaves the surface', () => {
    const { surface, backdrop } = changed('in a garden instead');
    expect(surface).toEqual(before.surface);
    expect(backdrop.view.panorama).toBe('sunrise');
  });

  test('light changes from where it was', () => {
    expect(changed('warmer').light.warmth).toBeGreaterThan(before.light.warmth);
    expect(changed('a bit cooler, please').light.warmth).toBeLessThan(before.light.warmth);
    expect(changed('brighter').light.exposure).toBeGreaterThan(before.light.exposure);
    expect(changed('darker').light.exposure).toBeLessThan(before.light.exposure);
    expect(changed('warmer').surface).toEqual(before.surface);
    expect(changed('warmer').backdrop).toEqual(before.backdrop);
  });

  test('changes add up', () => {
    const scenes = ['Change the first picture: make the wall blue', oak];
    const { surface, backdrop, light } = changed('warmer', scenes);
    expect([surface.material, backdrop.kind]).toEqual(['wood', 'wall']);
    expect(light.warmth).toBeGreaterThan(before.light.warmth);
    expect(changed('make the wall red', scenes).backdrop.colour[0]).toBeGreaterThan(backdrop.colour[0]);
  });
});

test('only the first paragraph is the instruction', () => {
  const told = 'warmer\n\nKeep everything else of the first picture, such as its white wall.\n\nAvoid: snow.';
  expect(changed(told)).toEqual(changed('warmer'));
});

test('a white background is pure white', () => {
  expect(changed('make the background white').pureWhite).toBe(true);
});

test('shadows can be removed', () => {
  expect(changed('remove the shadow').framing.shadowless).toBe(true);
});

describe('a take', () => {
  const take = takeOf(1, { seed: 0, variant: 0 });
  test.each([
    ['move it to the left', { shift: take.shift - 0.09 }],
    ['make it smaller', { size: take.size * 0.84 }],
    ['light from the left', { lightSide: -1 }],
    ['light from the right, hard shadow', { lightSide: 1 }],
    ['the shadow falls to the left', { lightSide: 1 }],
    ['warmer', {}],
    ['a plant on the left', {}],
  ] as const)('%s', (instruction, change) => {
    expect(changedTake(instruction, take)).toEqual({ ...take, ...change });
  });
});
