import { failureMessage, type GenerationFailureCode, type Moderation } from '#contract';
import type { PhotoFault, PhotoProblem } from '#shared/cutout/photo-problem.ts';

/** A failure as it is stored. */
interface Failure {
  code: GenerationFailureCode;
  moderation?: Moderation | null | undefined;
  photo?: PhotoFault | null | undefined;
}

const texts: Readonly<Record<PhotoProblem, string>> = {
  'nothing-salient': 'No product stands out in the photo. Try one on a plain background of another color.',
  cropped: 'The product touches the edge of the photo. Try one that shows all of it.',
  inseparable: "We can't separate the product from its background. Try a plain one.",
  held: 'A hand is holding the product. Try a photo without the hand.',
  'too-small': 'The product is too small in the photo. Try one from closer up.',
  unreadable: "The photo can't be opened. Export it again as JPEG.",
};
const generalText = 'Use a sharp photo that shows the whole product, on a background it stands out from.';

/** What can be done about a failure, beside its message; null if the message says it. */
export function failureHelp({ code, photo }: Failure): string | null {
  if (code !== 'PHOTOS_UNREADABLE') return null;
  if (!photo) return generalText;
  return photo.photo === null ? texts[photo.problem] : `Photo ${photo.photo}: ${texts[photo.problem]}`;
}

/** Why a generation failed and what can be done, in one line. */
export function failureText(failure: Failure): string {
  const message = failureMessage(failure);
  const help = failureHelp(failure);
  return help === null ? message : `${message.replace(/\.$/, '')}. ${help}`;
}
