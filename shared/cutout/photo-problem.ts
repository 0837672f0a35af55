/** Why a photo could not be used. The local renderer says which one it is; OpenAI does not. */
export const photoProblems = [
  'nothing-salient',
  'cropped',
  'inseparable',
  'held',
  'too-small',
  'unreadable',
] as const;
export type PhotoProblem = (typeof photoProblems)[number];

/** What is wrong with one of the photos of a generation. */
export interface PhotoFault {
  problem: PhotoProblem;
  /** The number of the photo among several, from 1; null for the only one. */
  photo: number | null;
}
