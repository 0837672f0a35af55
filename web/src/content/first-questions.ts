import { facts } from './facts.ts';

export interface FaqEntry {
  /** The fragment of a link to it: `/faq#<id>`. */
  id: string;
  question: string;
  /** Plain text. */
  answer: string;
  /** Where to read more. */
  link: { to: string; label: string };
}

/** The first questions at `/faq`, which the landing page shows as well. */
export const firstQuestions: readonly FaqEntry[] = [
  {
    id: 'how-long',
    question: 'How long does an image take?',
    answer:
      'Usually 30 to 60 seconds per image. You see previews while it is being made. If many images are waiting, the studio ' +
      'shows your place in line. You can close the window: the image is made anyway and waits for you.',
    link: { to: '/documentation/first-image', label: 'Your first image' },
  },
  {
    id: 'formats',
    question: 'Which photos can I upload?',
    answer:
      `JPEG, PNG, WebP and TIFF are accepted, and so are HEIC, the format of iPhones, and AVIF: up to ${facts.photoSize} per photo and ${facts.photos} photos for ` +
      'one image. A phone photo is enough if it is sharp, evenly lit and shows all of the product.',
    link: { to: '/documentation/photos-that-work', label: 'Photos that work' },
  },
  {
    id: 'free',
    question: 'Can I try it for free?',
    answer:
      `Yes. Once you have confirmed your email address you have ${facts.freeImages} images free, without a card. They are ` +
      'full images: same size, same quality, yours to use.',
    link: { to: '/documentation/plans-and-balance#free-images', label: 'Free images' },
  },
  {
    id: 'plans',
    question: 'What does a plan include?',
    answer:
      `Freelance costs ${facts.freelancePrice} a month and includes ${facts.freelanceImages} images. Enterprise costs ` +
      `${facts.enterprisePrice} a month, has no monthly limit within fair use (${facts.fairUse} images a month), and gets ` +
      'four of every five places when images wait in line.',
    link: { to: '/documentation/plans-and-balance', label: 'Plans and image balance' },
  },
];
