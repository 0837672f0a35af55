/** Photos that cannot be used, and the messages about them. */

/** The problem and what to do about it; `unreadable` is a corrupt file or not an image at all. */
const sentences = {
  'nothing-salient':
    'No product stands out in the photo. Use a photo of the product on a plain background that has another colour.',
  cropped: 'The product is cut off by the edge of the photo. Use a photo that shows the whole product.',
  'too-small': 'The product is too small in the photo. Use a larger photo, or one taken from closer up.',
  unreadable: 'Invalid image file or mode. Please check your image file.',
} as const;

/** Why a photo cannot be used. */
export type PhotoProblem = keyof typeof sentences;

/** Thrown by a renderer that cannot use a photo; the message is for the user. */
export class PhotoError extends Error {
  override name = 'PhotoError';
  readonly problem: PhotoProblem;

  constructor(problem: PhotoProblem) {
    super(sentences[problem]);
    this.problem = problem;
  }
}
