import { z } from 'zod';
import { emailSchema } from './email-address.ts';
import { isPlainLine } from './full-name.ts';
import { limits } from './limits.ts';
import { plainText } from './text.ts';

/** The subjects of the contact form, by the id that `/contact?subject=` takes, with the text that people read. */
export const contactSubjects = {
  general: 'General Inquiry',
  support: 'Technical Support',
  billing: 'Billing Question',
  partnership: 'Partnership Opportunity',
  feature: 'Feature Request',
} as const;
export type ContactSubject = keyof typeof contactSubjects;
export const contactSubjectIds = Object.keys(contactSubjects) as ContactSubject[];

/** The open positions, by the id that `/careers#` and an application take, with their titles. */
export const positions = {
  'product-engineer': 'Product Engineer',
  'image-quality-engineer': 'Image Quality Engineer',
  'product-designer': 'Product Designer',
  'customer-support': 'Customer Support Specialist',
  'product-photographer': 'Product Photographer and Writer',
} as const;
export type PositionId = keyof typeof positions;
export const positionIds = Object.keys(positions) as PositionId[];

const nameMissing = 'Please enter your name';
const messageTooLong = `Please keep your message under ${limits.messageCharacters.toLocaleString('en')} characters`;

/** One line of any text: only we read it, so it may have what names of sellers may not have. */
const senderNameSchema = z
  .string({ error: nameMissing })
  .trim()
  .min(1, { error: nameMissing })
  .max(limits.senderNameCharacters, { error: 'Please enter a shorter name' })
  .refine(isPlainLine, { error: 'Please enter your name without line breaks' });

const messageSchema = z
  .string({ error: 'Please enter a message' })
  // Browsers send line breaks of a form as CR LF.
  .overwrite((text) => text.replace(/\r\n?/g, '\n').trim())
  .max(limits.messageCharacters, { error: messageTooLong })
  .regex(plainText, { error: 'Please enter plain text' });

/** A field that people do not see. Programs that fill in every field of a form fill in this one, too. */
const honeypotSchema = z.string().optional();

/** Body of `POST /api/contact`. Everything is checked before the honeypot, so that a person's mistakes are answered. */
export const contactSchema = z.strictObject({
  name: senderNameSchema,
  email: emailSchema,
  subject: z.enum(contactSubjectIds, { error: 'Please choose a subject' }),
  message: messageSchema.min(1, { error: 'Please enter a message' }),
  website: honeypotSchema,
});
export type Contact = z.input<typeof contactSchema>;

/** The text fields of `POST /api/applications`; the CV is the file part named `cv`. */
export const applicationSchema = z.strictObject({
  position: z.enum(positionIds, { error: 'Please choose a position' }),
  name: senderNameSchema,
  email: emailSchema,
  message: messageSchema.default(''),
  website: honeypotSchema,
});
export type Application = z.input<typeof applicationSchema>;

/** What the file chooser for a CV offers; the server decides by the bytes. */
export const cvExtensions = ['.pdf', '.docx', '.odt', '.doc'] as const;

/** What is said about a file that cannot be a CV. */
export const cvMessages = {
  missing: 'Please attach your CV',
  empty: 'The file with your CV is empty. Please choose another one.',
  tooLarge: `Your CV is larger than ${limits.cvBytes / 1024 / 1024} MB. Please upload a smaller file.`,
  type: 'Please upload your CV as PDF, DOCX, ODT or DOC.',
} as const;
