import { expect, it } from 'vitest';
import { fingerprintOf, type StudioForm } from './studio-form.ts';

const file = (name: string, lastModified = 1) =>
  new File(['bytes'], name, { type: 'image/png', lastModified });
let count = 0;
function form(files: File[], prompt = 'On oak', productName?: string): StudioForm {
  const photos = files.map((each) => {
    count += 1;
    return { id: `slot ${count}`, file: each, preview: null };
  });
  return { photos, prompt, ...(productName !== undefined && { productName }) };
}

it('is equal for the same files in new slots, as after restoring the draft', () => {
  const cup = file('cup.png');
  expect(fingerprintOf(form([cup]))).toBe(fingerprintOf(form([cup])));
  expect(fingerprintOf(form([cup]))).toBe(fingerprintOf(form([file('cup.png')])));
  expect(fingerprintOf(form([cup], ' On oak ', ' '))).toBe(fingerprintOf(form([cup])));
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
  ].map(fingerprintOf);
  expect(new Set(all).size).toBe(all.length);
});
