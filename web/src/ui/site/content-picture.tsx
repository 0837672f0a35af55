import { type GuidePictureName, guidePictures } from '#web/pictures/guides.ts';
import { Picture } from '#web/ui/picture.tsx';

interface ContentPictureProps {
  name: GuidePictureName;
  /** Empty when the text beside it says what it shows. */
  alt: string;
  /** How wide it is shown, as in the `sizes` of `<img>`. */
  sizes: string;
  className?: string;
  loading?: 'lazy' | 'eager';
}

/** A picture of a guide or a post, by its name. */
export function ContentPicture({ name, ...props }: ContentPictureProps) {
  return <Picture picture={guidePictures[name]} {...props} />;
}

/** Whether there is a picture of that name. */
export function isPictureName(name: string): name is GuidePictureName {
  return Object.hasOwn(guidePictures, name);
}
