import { offerUndo } from '#web/ui/offer-undo.tsx';

/** Says that photos of another product took the place of those in the form. Apart from the form, which every visit loads. */
export const offerEarlierPhotos = (onUndo: () => void) =>
  offerUndo('The earlier photos were replaced.', onUndo);
