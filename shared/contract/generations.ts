import { z } from 'zod';
import { recipeViewSchema } from './edit-recipe.ts';
import { clientErrors, generationFailureCodes } from './errors.ts';
import {
  generationOptionsSchema,
  optionFields,
  seedFields,
  sizeFault,
  wholeNumber,
} from './generation-options.ts';
import { visibleStates } from './generation-states.ts';
import { limits } from './limits.ts';
import { photoWarnings } from './photo-check.ts';
import { plainText } from './text.ts';

export const visibleStateSchema = z.enum(visibleStates);

const [, promptRequired] = clientErrors.PROMPT_REQUIRED;
const [, promptInvalid] = clientErrors.PROMPT_INVALID;

/** field-errors.ts gives the error code of each of its issues. */
export const promptSchema = z
  .string({ error: promptRequired })
  // Browsers send line breaks of a form as CR LF; counted as one character, as the seller sees it.
  .overwrite((text) => text.replace(/\r\n?/g, '\n'))
  .regex(/\S/, { error: promptRequired, abort: true })
  .max(limits.promptCharacters, { error: promptInvalid })
  .refine((text) => plainText.test(text), { error: promptInvalid })
  .transform((text) => text.trim());

export const productNameSchema = z.string().trim().max(limits.productNameCharacters).regex(plainText);

/** The seller's own number of a product. */
export const skuSchema = z.string().trim().max(limits.skuCharacters).regex(plainText);

/** Amazon's number of a product; empty for none. Letters are written in upper case. */
export const asinSchema = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^([A-Z0-9]{10})?$/);

/** What is said of one that is not valid. */
export const asinRule = 'An ASIN has 10 letters and digits, such as B000123456.';

/** What several photos show: one product from several angles, or a different product each. */
export const photoSubjects = ['one-product', 'several-products'] as const;
export type PhotoSubject = (typeof photoSubjects)[number];

/** The text fields of `POST /api/generations`, each by itself; its photos are the file parts named `images`. */
export const generationFieldsSchema = z.strictObject({
  prompt: promptSchema,
  /** Used as the file name of the download. */
  productName: productNameSchema.optional(),
  sku: skuSchema.optional(),
  /** The project that the images are added to: by default the seller's default project. */
  projectId: z.string().max(100).optional(),
  photosShow: z.enum(photoSubjects).default('one-product'),
  /** Images to make: takes of one set, a generation each. */
  numImages: wholeNumber(1, limits.imagesPerRequest).default(1),
  ...optionFields,
  ...seedFields,
});

/** The same; width and height must also be one of the sizes. */
export const generationRequestSchema = generationFieldsSchema.superRefine(({ width, height }, context) => {
  const fault = sizeFault(width, height);
  if (fault) context.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
});
export type GenerationRequest = z.infer<typeof generationRequestSchema>;

/** Stage of a running generation: `sending` photos, `drawing`, or `waiting` for another attempt. */
export const progressStages = ['sending', 'drawing', 'waiting'] as const;
/**
 * What a generation in stage `waiting` waits for: `retry` the backoff after a failed call, `provider` the provider, which
 * refuses calls at the moment, `worker` a worker that can store images, `storage` free space for an image that is already
 * made.
 */
export const waitReasons = ['retry', 'provider', 'worker', 'storage'] as const;
export type WaitReason = (typeof waitReasons)[number];
export const progressSchema = z.object({
  stage: z.enum(progressStages),
  /** Null unless waiting. */
  waitingFor: z.enum(waitReasons).nullable(),
  /** Previews received, and previews requested. The provider may send fewer. */
  previews: z.number().int(),
  previewsExpected: z.number().int(),
  /** Number of the current attempt, from 1. */
  attempt: z.number().int(),
});
export type Progress = z.infer<typeof progressSchema>;

/** Between which times something is expected to be finished. */
export const timeLeftSchema = z.object({ from: z.iso.datetime(), to: z.iso.datetime() });
export type TimeLeft = z.infer<typeof timeLeftSchema>;

/** How sure it is that an image shows the product of its photos; `unknown`: the photos do not show the side that it shows. */
export const matchLevels = ['high', 'medium', 'low', 'unknown'] as const;

const imageLinkSchema = z.object({ url: z.string(), thumbnailUrl: z.string() });

/** A part of a picture, in fractions of its width and height. */
const pictureBoxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type PictureBox = z.infer<typeof pictureBoxSchema>;

export const generationViewSchema = z.object({
  id: z.string(),
  state: visibleStateSchema,
  /** Increases with each change: a view with a smaller one is old. */
  revision: z.number().int(),
  /** The request that it belongs to: its id is that of the request's first generation, index and size count its takes. */
  set: z.object({ id: z.string(), index: z.number().int(), size: z.number().int() }),
  /** The project that it is in. */
  projectId: z.string(),
  /** The batch that it belongs to; null for all others. */
  batchId: z.string().nullable(),
  /** True for an image of the sandbox, which only programs see. Absent otherwise. */
  isTest: z.literal(true).optional(),
  prompt: z.string(),
  productName: z.string(),
  /** The seller's own number of the product; empty for none. */
  sku: z.string(),
  /** Amazon's number of the product, if its batch has one. */
  asin: z.string().optional(),
  photos: z.array(imageLinkSchema.extend({ warnings: z.array(z.enum(photoWarnings)) })),
  photosShow: z.enum(photoSubjects),
  options: generationOptionsSchema,
  /** Everything that the provider is told in words. */
  composedPrompt: z.string(),
  /** Position in the queue, from 1; null unless queued. */
  position: z.number().int().nullable(),
  /** When it is expected to be finished, from what was measured in the last day; null when that is not known, or it has ended. */
  timeLeft: timeLeftSchema.nullable(),
  /** Null unless running, or queued while the image provider accepts no calls. */
  progress: progressSchema.nullable(),
  /** The newest preview; null unless running and one is visible. While it is, stopping uses the image. */
  previewUrl: z.string().nullable(),
  /** The finished image; null unless succeeded. */
  image: imageLinkSchema
    .extend({ downloadUrl: z.string(), width: z.number(), height: z.number() })
    .nullable(),
  /** How the seller edited the image, and the edited image; null if they did not. */
  edits: imageLinkSchema
    .extend({
      /** Another one after each change. */
      version: z.number().int(),
      recipe: recipeViewSchema,
      downloadUrl: z.string(),
      width: z.number(),
      height: z.number(),
    })
    .nullable(),
  /** Whether the seller marked it as a favourite. */
  favourite: z.boolean(),
  /**
   * Whether the image shows the product of the photos; null until it was compared, which follows its end, and if that gave
   * nothing. `area`: the corners of the product in the image, in fractions of its width and height; null unless it was found.
   * `crops`: the same part of the product in a photo, by its index, and in the image: where they differ most, or the whole
   * product; null unless it was found, and for images from before that was stored.
   */
  match: z
    .object({
      level: z.enum(matchLevels),
      area: z.array(z.object({ x: z.number(), y: z.number() })).nullable(),
      crops: z
        .object({ photo: z.number().int(), inPhoto: pictureBoxSchema, inImage: pictureBoxSchema })
        .nullable()
        .default(null),
    })
    .nullable(),
  /** Whether the image can be made again at no charge, or was; null if neither. */
  remake: z.enum(['offered', 'used']).nullable(),
  /** The generation that this one makes again at no charge; null for all others. */
  remakeOf: z.string().nullable(),
  /** The generation that this one changes; null for one that was made from photos alone. */
  parentId: z.string().nullable(),
  /** The first generation of its versions: itself, unless it changes another one. */
  rootId: z.string(),
  /** What was to be another way in the image of `parentId`, and whether only a marked area; null for the first version. */
  change: z.object({ instruction: z.string(), masked: z.boolean() }).nullable(),
  /**
   * Why it failed; null unless failed. A failed generation is not counted. `requestId` is the id of the request that
   * submitted it, for questions to us; null for generations from before that was stored.
   */
  failure: z
    .object({
      code: z.enum(generationFailureCodes),
      message: z.string(),
      /** What can be done about it; null if the message says it. */
      help: z.string().nullable(),
      requestId: z.string().nullable(),
    })
    .nullable(),
  /** Whether it used an image of the plan: it succeeded, or it was stopped while a preview was visible. Never for `remakeOf`. */
  imageUsed: z.boolean(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
});
export type GenerationView = z.infer<typeof generationViewSchema>;

/** What a request made: a set, one generation for each take, in the order of their index. */
export const generationSetSchema = z.object({ generations: z.array(generationViewSchema).min(1) });
export type GenerationSet = z.infer<typeof generationSetSchema>;

/** Body of `POST /api/generations/<id>/cancel`; optional. */
export const cancelGenerationSchema = z.strictObject({
  /**
   * Whether the seller agrees that stopping uses the image if a preview is visible. Otherwise such a generation continues
   * and the answer is PREVIEW_SHOWN. Without a visible preview stopping is free either way.
   */
  useImage: z.boolean().default(false),
});
export type CancelGeneration = z.input<typeof cancelGenerationSchema>;

/** Its reply: the generation, and a notice when the seller can stop only a few more today (`limits.unpaidCalls`). */
export const cancelledGenerationSchema = generationViewSchema.extend({ notice: z.string().optional() });
export type CancelledGeneration = z.infer<typeof cancelledGenerationSchema>;

/** Query of every list that comes page by page. */
export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(limits.pageSizeMost).default(limits.pageSize),
  /** `nextCursor` of the previous page. */
  cursor: z.string().max(100).optional(),
});

export const generationListQuerySchema = pageQuerySchema.extend({
  /** The id of a set: only its generations, by their index and on one page. */
  set: z.string().max(100).optional(),
  /** The id of a project: only the images in it. */
  project: z.string().max(100).optional(),
  /** The id of a first version: it and all its changes, oldest first and on one page. */
  root: z.string().max(100).optional(),
  /** Only those that have not ended, newest first and on one page. */
  pending: z.literal('true').optional(),
});

export const generationListSchema = z.object({
  generations: z.array(generationViewSchema),
  /** Null on the last page. */
  nextCursor: z.string().nullable(),
});
export type GenerationList = z.infer<typeof generationListSchema>;
