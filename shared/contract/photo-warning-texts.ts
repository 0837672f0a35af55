import { limits } from './limits.ts';
import type { PhotoWarning } from './photo-check.ts';

/** What a seller reads about a photo with a warning, after its name. */
export const photoWarningTexts: Readonly<Record<PhotoWarning, string>> = {
  small: `is small. A photo with at least ${limits.photoSideGood} pixels on its short side gives a better image.`,
  blurry: 'looks blurry. A sharp photo gives a better image.',
  dark: 'is very dark. A photo with more light gives a better image.',
  bright: 'is too bright, so details are lost. A photo with less light gives a better image.',
  incomplete: 'is cut off: its bottom may be blank. Upload it again if you can.',
  'extra-channel':
    'has a channel that we leave out, such as a saved selection. To use it, save it as transparency.',
  background: "shows a product we can't separate from its background. Try a plain one.",
  distant: 'shows the product very small. Try one from closer up.',
  'cut-off': 'cuts the product off at its edge. Try one that shows all of it.',
  held: 'shows a hand holding the product. Try one without the hand.',
};
