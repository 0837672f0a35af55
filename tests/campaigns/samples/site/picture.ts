/** The description of the site's pictures: what each shows and how it is made. */
import type { SamplePhotoName } from './sample-photos.ts';

/** A sample photo, as it is or changed as a hasty seller would have taken it. */
interface PhotoSource {
  photo: SamplePhotoName;
  /** The part that is shown, in pixels of the photo. A negative `left` mirrors the photo at its left edge. */
  crop?: { left: number; top: number; width: number; height: number };
  /** Multiplies the brightness. */
  brightness?: number;
  /** Blurs with this standard deviation, in pixels of the photo. */
  blur?: number;
  /** Reduces the photo to this width first, so that it lacks detail. */
  detail?: number;
}

/** An image that the local renderer makes from sample photos, as Packshot would. */
export interface SceneSource {
  photos: readonly SamplePhotoName[];
  /** The scene description. */
  scene: string;
  /** Another arrangement of the same scene; odd numbers mirror the place and its light. */
  variant?: number;
}

/** One picture. */
export interface Picture {
  /** Part of the file names, unique in its group. */
  name: string;
  /** What it shows, for people who do not see it. */
  alt: string;
  source: PhotoSource | SceneSource;
  /** Widths instead of the group's. */
  widths?: readonly number[];
}

/** Pictures that are shown in the same place and sizes. */
export interface PictureGroup {
  /** Name of the folder in `web/src/pictures`. */
  folder: string;
  /** Widths of the files in pixels, at most the width of the source. */
  widths: readonly number[];
  pictures: readonly Picture[];
}

/** The picture of a scene with one product, or several. */
export const image = (
  name: string,
  alt: string,
  photos: SamplePhotoName | readonly SamplePhotoName[],
  scene: string,
): Picture => ({ name, alt, source: { photos: [photos].flat(), scene } });

/** Whether a picture is rendered; else it is a photo. */
export function isScene(source: Picture['source']): source is SceneSource {
  return 'scene' in source;
}
