import { z } from 'zod';
import { apiKeyModes } from './api-keys.ts';
import { changeRequestSchema } from './change-request.ts';
import { recipeViewSchema, saveEditsSchema } from './edit-recipe.ts';
import { generationFailureCodes } from './errors.ts';
import {
  generationOptionsSchema,
  optionFields,
  seedFields,
  sizeFault,
  wholeNumber,
} from './generation-options.ts';
import {
  matchLevels,
  pageQuerySchema,
  photoSubjects,
  productNameSchema,
  progressSchema,
  promptSchema,
  skuSchema,
  timeLeftSchema,
  visibleStateSchema,
} from './generations.ts';
import { limits } from './limits.ts';

/*
 * The API for programs, version 1 (docs/decisions/0135-the-api-for-programs.md). What is here stays as it is: fields are added,
 * and none is removed or means something else. The web app has routes of its own, which change with it.
 */

/** The versions of this API by their dates; a key keeps the one that was the last when it was made. */
export const v1Versions = ['2026-11-29'] as const;
/** Names a version: a request's chooses one, and each reply says which it has. */
export const v1VersionHeader = 'packshot-version';

/** The page that explains errors, below the address of the web app. */
export const v1ErrorsPage = '/documentation/first-image-with-the-api#errors';

export const v1Paths = {
  /** POST: body `V1CreateRequest` or a form, 202 `V1Created`; 200 `V1Estimate` with `dryRun`. GET: 200 `V1GenerationList`. */
  generations: '/api/v1/generations',
  /** GET: 200 `V1Generation`. PATCH: body `V1UpdateRequest`, 200 `V1Generation`. DELETE moves to the trash: 204. */
  generation: (id: string) => `/api/v1/generations/${id}`,
  /** POST: 200 `V1Generation`. */
  cancel: (id: string) => `/api/v1/generations/${id}/cancel`,
  /** POST: body `V1ChangeRequest`, 202 `V1Created`; 200 `V1Estimate` with `dryRun`. */
  change: (id: string) => `/api/v1/generations/${id}/changes`,
  /** POST: body `V1RemakeRequest`, 202 `V1Created`; 200 `V1Estimate` with `dryRun`. */
  remake: (id: string) => `/api/v1/generations/${id}/remake`,
  /** PUT: body `V1EditRequest`, 200 `V1Generation`. */
  edits: (id: string) => `/api/v1/generations/${id}/edits`,
  /** GET: 200 `V1Set`. */
  set: (id: string) => `/api/v1/sets/${id}`,
  /** GET: the finished image as a PNG. */
  image: (id: string) => `/api/v1/generations/${id}/image`,
  /** GET: 200 `V1Balance`. */
  balance: '/api/v1/balance',
  /** GET: the OpenAPI document of these routes. */
  document: '/api/v1/openapi.json',
} as const;

/** POST: messages of the Model Context Protocol (Streamable HTTP), for assistants. */
export const v1McpPath = '/api/v1/mcp';

/** A field of a form: `true` or `false`. */
const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
);

/** Makes nothing, and says how many images it would use. */
export const dryRun = flag.default(false);
/** How many images a person has agreed to. */
export const agreedImages = wholeNumber(0, 1_000_000).optional();

const createFields = {
  /** A saved look: each of its fields that is left out here, `numImages` too, is the look's as it is by then. */
  lookId: z.string().max(100).optional(),
  /** Required without a look. */
  prompt: promptSchema.optional(),
  productName: productNameSchema.optional(),
  sku: skuSchema.optional(),
  /** By default the seller's default project. */
  projectId: z.string().max(100).optional(),
  photosShow: z.enum(photoSubjects).default('one-product'),
  /** Images to make, a generation each. */
  numImages: wholeNumber(1, limits.imagesPerRequest).default(1),
  ...optionFields,
  ...seedFields,
  dryRun,
  /** How many images a person has agreed to: with a larger `numImages` nothing is made. */
  maxImages: agreedImages,
};

interface Created {
  lookId?: string | undefined;
  prompt?: string | undefined;
  width: number;
  height: number;
}

/** Reports what makes no image by itself. Beside a look, what counts is both together. */
const checkWhole = ({ lookId, prompt, width, height }: Created, context: z.RefinementCtx) => {
  if (lookId !== undefined) return;
  if (prompt === undefined) {
    context.addIssue({ code: 'invalid_type', expected: 'string', input: prompt, path: ['prompt'] });
  }
  const fault = sizeFault(width, height);
  if (fault) context.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
};

/** The text fields of a form with photos as file parts. */
export const v1CreateFormSchema = z.strictObject(createFields).superRefine(checkWhole);
export type V1CreateForm = z.infer<typeof v1CreateFormSchema>;

/** Body of `POST /api/v1/generations` as JSON. */
export const v1CreateRequestSchema = z
  .strictObject({
    /** Where the photos are: public addresses that begin with `https://`, which are fetched before the reply. */
    photos: z
      .array(z.strictObject({ url: z.string().max(2_000) }))
      .min(1)
      .max(limits.photos),
    ...createFields,
  })
  .superRefine(checkWhole);
export type V1CreateRequest = z.input<typeof v1CreateRequestSchema>;

export const v1GenerationSchema = z.object({
  id: z.string(),
  /** `test`: an image of the sandbox, with a watermark, which a test key asked for. */
  mode: z.enum(apiKeyModes),
  state: visibleStateSchema,
  /** The request that made it: the id of its first generation, the place in it from 0, and how many it has. */
  set: z.object({ id: z.string(), index: z.number().int(), size: z.number().int() }),
  prompt: z.string(),
  productName: z.string(),
  sku: z.string(),
  projectId: z.string(),
  /** Whether the seller marked it as a favourite. */
  favourite: z.boolean(),
  options: generationOptionsSchema,
  /** Position in line, from 1; null unless queued. */
  position: z.number().int().nullable(),
  timeLeft: timeLeftSchema.nullable(),
  progress: progressSchema.nullable(),
  /** The finished image: fetch `url` with the same key. Null unless succeeded. */
  image: z.object({ url: z.string(), width: z.number().int(), height: z.number().int() }).nullable(),
  /** How sure it is that the image shows the product of its photos; null until it was compared. */
  match: z.enum(matchLevels).nullable(),
  /** Whether it can be made again at no charge, or was; null if neither. */
  remake: z.enum(['offered', 'used']).nullable(),
  failure: z
    .object({ code: z.enum(generationFailureCodes), message: z.string(), help: z.string().nullable() })
    .nullable(),
  /** Whether it has used an image of the plan. */
  imageUsed: z.boolean(),
  /** The generation that it changes or makes again; null for most. */
  parentId: z.string().nullable(),
  /** What was to be another way in the image of `parentId`, and whether only in a marked area; null unless it changes one. */
  change: z.object({ instruction: z.string(), masked: z.boolean() }).nullable(),
  /** How the image was edited: `image` shows it so. Another `version` after each edit; null as it was made. */
  edits: z.object({ version: z.number().int(), recipe: recipeViewSchema }).nullable(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
});
export type V1Generation = z.infer<typeof v1GenerationSchema>;

/** What a request made, in the order of their index. */
export const v1CreatedSchema = z.object({ generations: z.array(v1GenerationSchema).min(1) });
export type V1Created = z.infer<typeof v1CreatedSchema>;

/** The generations of one request, by their index. Those that were deleted are left out. */
export const v1SetSchema = z.object({ id: z.string(), generations: z.array(v1GenerationSchema).min(1) });
export type V1Set = z.infer<typeof v1SetSchema>;

/** Body of `POST /api/v1/generations/<id>/changes`. */
export const v1ChangeRequestSchema = changeRequestSchema.safeExtend({
  dryRun,
  /** How many images a person has agreed to; a change uses one. */
  maxImages: agreedImages,
});
export type V1ChangeRequest = z.input<typeof v1ChangeRequestSchema>;

/** Body of `POST /api/v1/generations/<id>/remake`; optional. */
export const v1RemakeRequestSchema = z.strictObject({
  dryRun,
  /** How many images a person has agreed to; making an image again uses none. */
  maxImages: agreedImages,
});
export type V1RemakeRequest = z.input<typeof v1RemakeRequestSchema>;

/** Body of `PUT /api/v1/generations/<id>/edits`. */
export const v1EditRequestSchema = saveEditsSchema.extend({
  /** `edits.version` that the program has seen, null for none: other edits since are kept. Without it they are replaced. */
  basedOn: saveEditsSchema.shape.basedOn.optional(),
});
export type V1EditRequest = z.input<typeof v1EditRequestSchema>;

/** How many images can be made now. */
export const v1BalanceSchema = z.object({
  plan: z.string(),
  /** Images that can be requested now, of the plan, free ones and those of packs; those in progress are taken off. */
  left: z.number().int(),
  /** Images of requests that have not ended. */
  onHold: z.number().int(),
  /** What can still be requested today, where the account has a daily limit; null where it has none. */
  leftToday: z.number().int().nullable(),
  /** When the plan renews; null if it does not. */
  renewsAt: z.iso.datetime().nullable(),
});
export type V1Balance = z.infer<typeof v1BalanceSchema>;

/** The reply to a request with `dryRun`. */
export const v1EstimateSchema = z.object({
  dryRun: z.literal(true),
  /** Images that the request would use if all of them succeed. */
  images: z.number().int(),
  /** Why nothing would be made; null if it would. */
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
  balance: v1BalanceSchema,
});
export type V1Estimate = z.infer<typeof v1EstimateSchema>;

export const v1GenerationQuerySchema = z.strictObject({
  /** Seconds to wait until the generation has ended; then, or after that time, the reply is what it is at that moment. */
  wait: z.coerce.number().int().min(0).max(limits.apiWaitSeconds).default(0),
});

export const v1ListQuerySchema = pageQuerySchema.extend({
  /** The id of a project: only the images in it. */
  projectId: z.string().max(100).optional(),
});

export const v1GenerationListSchema = z.object({
  generations: z.array(v1GenerationSchema),
  /** Null on the last page. */
  nextCursor: z.string().nullable(),
});
export type V1GenerationList = z.infer<typeof v1GenerationListSchema>;
