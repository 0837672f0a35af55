import { facts } from './facts.ts';
import { type FaqEntry, firstQuestions } from './first-questions.ts';

/** The questions at `/faq`, in order. */
export const faq: readonly FaqEntry[] = [
  ...firstQuestions,
  {
    id: 'failed',
    question: 'Do I pay for an image that failed?',
    answer:
      'No. An image that failed, or that you cancelled before a preview appeared, is not counted. If you stop an image after ' +
      'you have seen a preview, it counts as one, and the button says so before you press it.',
    link: { to: '/documentation/plans-and-balance#what-counts', label: 'What counts' },
  },
  {
    id: 'ownership',
    question: 'Who owns the images?',
    answer:
      'You do. You may use them for any lawful purpose, also after your plan has ended. We claim no rights in them and do not ' +
      'publish them. Your photos stay yours, too.',
    link: { to: '/terms#your-photos-and-images', label: 'Terms: your photos and images' },
  },
  {
    id: 'true-to-product',
    question: 'Does my product stay as it is?',
    answer:
      'We ask the image service to keep shape, colours, label and text as in your photos, and that works best with sharp photos ' +
      'that show all sides. A model can still get details wrong, so please check each image before you publish it.',
    link: { to: '/documentation/photos-that-work#what-a-good-photo-shows', label: 'What a good photo shows' },
  },
  {
    id: 'data',
    question: 'What happens to my photos and data?',
    answer:
      'Your photos, without place and time, and your description go to OpenAI, which makes the image. Only you can open your ' +
      'photos and images. A photo that you try on our start page without an account is deleted as soon as you see its sketches. ' +
      'There are no trackers on this site. You can export everything and delete your account yourself. ' +
      `An image that you delete stays in your trash for ${facts.trashDays} days: until then you can restore it.`,
    link: { to: '/privacy', label: 'Privacy Policy' },
  },
  {
    id: 'cancel',
    question: 'How do I cancel?',
    answer:
      'Open Plan & billing in your Account Settings, choose Manage Billing and cancel there. Your plan stays active until the end of ' +
      'the month that you paid for. Your account and your images stay.',
    link: { to: '/documentation/billing#cancel', label: 'Cancel a plan' },
  },
  {
    id: 'api',
    question: 'Is there an API?',
    answer:
      'Yes. Everything that the studio does can be done by your own program: submit photos, wait, download. It is part of every ' +
      'plan and uses the same image balance.',
    link: { to: '/documentation/api', label: 'API guide' },
  },
];
