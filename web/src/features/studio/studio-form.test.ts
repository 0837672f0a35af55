import { expect, it } from 'vitest';
import { contentOf, type StudioForm } from './studio-form.ts';

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

it('is the same for the same files in other slots, as the draft brings them back', () => {
  const cup = file('cup.png');
  expect(contentOf(form([cup]))).toBe(contentOf(form([cup])));
  expect(contentOf(form([cup]))).toBe(contentOf(form([file('cup.png')])));
  expect(contentOf(form([cup], ' On oak ', ' '))).toBe(contentOf(form([cup])));
});

it('differs with each thing that is sent', () => {
  const [cup, lid] = [file('cup.png'), file('lid.png')];
  const all = [
    form([cup]),
    form([cup, lid]),
    form([lid, cup]),
    form([file('cup.png', 2)]),
    form([cup], 'On ash'),
    form([cup], 'On oak', 'Cup'),
  ].map(contentOf);
  expect(new Set(all).size).toBe(all.length);
});
