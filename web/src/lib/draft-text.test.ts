import { expect, it } from 'vitest';
import { withDraftText } from './draft-text.ts';

const [cup, vase] = [{ id: 'cup' }, { id: 'vase' }];
const stored = {
  prompt: 'On oak',
  productName: 'Cup',
  nameTyped: false,
  photosShow: 'one-product' as const,
  photos: [cup, vase],
};
const text = {
  sellerId: 'ana',
  prompt: 'On sand',
  productName: '',
  nameTyped: false,
  photosShow: 'one-product' as const,
};

it('gives the stored draft when no page was left in the middle of a change', () => {
  expect(withDraftText(stored, null)).toBe(stored);
  expect(withDraftText(null, null)).toBeNull();
});

it('gives what the form had when the page was left: a photo that was removed does not come back', () => {
  expect(withDraftText(stored, { ...text, photoIds: ['vase'] })).toEqual({
    prompt: 'On sand',
    productName: '',
    nameTyped: false,
    photosShow: 'one-product' as const,
    photos: [vase],
  });
});

it('keeps what is stored where nothing was entered before the form was restored', () => {
  expect(withDraftText(stored, { ...text, photoIds: null })).toEqual({ ...stored, prompt: 'On sand' });
  expect(withDraftText(null, { ...text, photoIds: null })).toMatchObject({ prompt: 'On sand', photos: [] });
});
