/** Photos that no image can be made of, and what their sender is told. */

/** What is wrong, and what to do about it; `unreadable` is a file that is broken or no image at all. */
const sentences = {
  'nothing-salient':
    'No product stands out in the photo. Use a photo of the product on a plain background that has another colour.',
  cropped: 'The product is cut off by the edge of the photo. Use a photo that shows the whole product.',
  'too-small': 'The product is too small in the photo. Use a larger photo, or one taken from closer up.',
  unreadable: 'Invalid image file or mode. Please check your image file.',
} as const;

/** Why no image can be made of a photo. */
export type PhotoProblem = keyof typeof sentences;

/** Thrown by a renderer that cannot use a photo; the message is for the photo's sender. */
export class PhotoError extends Error {
  override name = 'PhotoError';
  readonly problem: PhotoProblem;

  constructor(problem: PhotoProblem) {
    super(sentences[problem]);
    this.problem = problem;
  }
}
