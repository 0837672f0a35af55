import { facts } from './facts.ts';

export interface FaqEntry {
  /** The fragment of a link to it: `/faq#<id>`. */
  id: string;
  question: string;
  /** Plain text. */
  answer: string;
  /** Where to read more. */
  link?: { to: string; label: string };
}

/** The questions at `/faq`, in order. */
export const faq: readonly FaqEntry[] = [
  {
    id: 'how-long',
    question: 'How long does an image take?',
    answer: `Usually 30 to 60 seconds per image. You see previews while it is being made, and you can leave the page: the image is kept in your studio. When many sellers are waiting, the studio shows your place in line.`,
    link: { to: '/documentation/first-image', label: 'Your first image' },
  },
  {
    id: 'formats',
    question: 'Which photo formats can I upload?',
    answer: `JPEG, PNG, WebP and TIFF, and also AVIF, up to ${facts.photoSize} per photo and ${facts.photos} photos per image.`,
    link: { to: '/documentation/photos-that-work', label: 'Photos that work' },
  },
];
