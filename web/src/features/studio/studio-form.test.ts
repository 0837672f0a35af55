import { expect, it } from 'vitest';
import { defaultStudioOptions, type StudioOptions } from '#web/lib/studio-options.ts';
import { fingerprintOf, type StudioForm } from './studio-form.ts';

const file = (name: string, lastModified = 1) =>
  new File(['bytes'], name, { type: 'image/png', lastModified });
let count = 0;
function form(
  files: File[],
  prompt = 'On oak',
  productName?: string,
  options: Partial<StudioOptions> = {},
): StudioForm {
  const photos = files.map((each) => {
    count += 1;
    return { id: `slot ${count}`, file: each, preview: null };
  });
  return {
    photos,
    prompt,
    ...(productName !== undefined && { productName }),
    options: { ...defaultStudioOptions, ...options },
  };
}

it('is equal for the same files in new slots, as after restoring the draft', () => {
  const cup = file('cup.png');
  expect(fingerprintOf(form([cup]))).toBe(fingerprintOf(form([cup])));
  expect(fingerprintOf(form([cup]))).toBe(fingerprintOf(form([file('cup.png')])));
  expect(fingerprintOf(form([cup], ' On oak ', ' '))).toBe(fingerprintOf(form([cup])));
  // A seed that is not used.
  expect(fingerprintOf(form([cup], 'On oak', '', { seedValue: 5 }))).toBe(fingerprintOf(form([cup])));
});

it('differs if any part of the content differs', () => {
  const [cup, lid] = [file('cup.png'), file('lid.png')];
  const all = [
    form([cup]),
    form([cup, lid]),
    form([lid, cup]),
    form([file('cup.png', 2)]),
    form([cup], 'On ash'),
    form([cup], 'On oak', 'Cup'),
    form([cup], 'On oak', '', { style: 'vintage' }),
    form([cup], 'On oak', '', { height: 1_536 }),
    form([cup], 'On oak', '', { useSeed: true, seedValue: 5 }),
    form([cup], 'On oak', '', { useSeed: true, seedValue: 6 }),
  ].map(fingerprintOf);
  expect(new Set(all).size).toBe(all.length);
});
