import { z } from 'zod';
import {
  createWebhookSchema,
  defaultOptions,
  type ErrorReply,
  errorReplySchema,
  type V1AddRows,
  type V1Balance,
  type V1Batch,
  type V1BatchRows,
  type V1CreateBatch,
  type V1Created,
  type V1CreateRequest,
  type V1EditRequest,
  type V1Estimate,
  type V1ExportCheck,
  type V1ExportPresetList,
  type V1Generation,
  type V1GenerationList,
  type V1LookList,
  type V1Project,
  type V1ProjectList,
  type V1Set,
  type V1Usage,
  v1AddRowsSchema,
  v1BalanceSchema,
  v1BatchAgainSchema,
  v1BatchRetrySchema,
  v1BatchReviewSchema,
  v1BatchRowsSchema,
  v1BatchSchema,
  v1BatchSpendSchema,
  v1CreateBatchSchema,
  v1CreatedSchema,
  v1CreateRequestSchema,
  v1EditRequestSchema,
  v1EstimateSchema,
  v1ExportCheckSchema,
  v1ExportPresetListSchema,
  v1GenerationListSchema,
  v1GenerationSchema,
  v1LookListSchema,
  v1ProjectListSchema,
  v1ProjectSchema,
  v1SetSchema,
  v1UsageSchema,
  type Webhook,
  type WebhookDelivery,
  webhookDeliveryListSchema,
  webhookDeliverySchema,
  webhookListSchema,
  webhookSchema,
  webhookWithSecretSchema,
} from '#contract';

const generation: V1Generation = {
  id: '6b0be9a316c58bde24cfbca2',
  mode: 'live',
  state: 'queued',
  set: { id: '6b0be9a316c58bde24cfbca2', index: 0, size: 1 },
  prompt: 'On a light oak table in soft daylight from a window',
  productName: 'Walnut mug',
  sku: 'MUG-001',
  projectId: '6b0be99db6684d70cb7eb735',
  favourite: false,
  options: { ...defaultOptions, seed: null },
  position: 1,
  timeLeft: null,
  progress: null,
  image: null,
  match: null,
  remake: null,
  failure: null,
  imageUsed: false,
  parentId: null,
  change: null,
  edits: null,
  createdAt: '2026-11-29T09:00:00.000Z',
  startedAt: null,
  endedAt: null,
};
const succeeded: V1Generation = {
  ...generation,
  state: 'succeeded',
  position: null,
  image: {
    url: '/api/v1/generations/6b0be9a316c58bde24cfbca2/image',
    width: 1024,
    height: 1024,
  },
  match: 'high',
  imageUsed: true,
  startedAt: '2026-11-29T09:00:01.000Z',
  endedAt: '2026-11-29T09:00:21.000Z',
};
const request: V1CreateRequest = {
  photos: [{ url: 'https://photos.shop.example/mug.jpg' }],
  prompt: 'On a light oak table in soft daylight from a window',
  productName: 'Walnut mug',
  sku: 'MUG-001',
  numImages: 1,
  maxImages: 1,
};
const edits: V1EditRequest = {
  recipe: { brightness: 10, crop: { left: 0.25, top: 0.25, width: 0.5, height: 0.5 } },
  basedOn: null,
};
const created: V1Created = { generations: [generation] };
const set: V1Set = { id: succeeded.set.id, generations: [succeeded] };
const list: V1GenerationList = { generations: [succeeded], nextCursor: null };
const balance: V1Balance = {
  plan: 'freelance',
  left: 87,
  onHold: 1,
  leftToday: null,
  renewsAt: '2026-12-24T00:00:00.000Z',
};
const estimate: V1Estimate = { dryRun: true, images: 1, refusal: null, balance };
const background = {
  name: 'Background',
  needed: '100 % pure white',
  confirmed: true,
  advised: false,
} as const;
const presets: V1ExportPresetList = {
  presets: [
    {
      id: 'amazon-main',
      name: 'Amazon main image',
      group: 'marketplaces',
      format: 'jpeg',
      rules: [background],
      toCheck: 'No text, logo or border beside the product, and no shadow that reaches the edge.',
      source: 'https://sellercentral.amazon.es/gp/help/external/help.html?itemID=75PWC4THA8J269P',
    },
  ],
};
const check: V1ExportCheck = {
  generationId: '6b0be9a316c58bde24cfbca2',
  preset: 'amazon-main',
  fileName: 'Walnut-mug-amazon-main-2026-11-29.jpg',
  width: 1600,
  height: 1600,
  bytes: 214_530,
  enlarged: 1.6,
  passes: false,
  rules: [
    {
      ...background,
      outcome: 'fails',
      measured: 'a scene or coloured: 3 % of the border is nearly white',
    },
  ],
};
const project: V1Project = {
  id: '6b0be99db6684d70cb7eb735',
  name: 'Autumn catalogue',
  isDefault: false,
  images: 24,
  createdAt: '2026-11-20T08:30:00.000Z',
};
const projects: V1ProjectList = { projects: [project] };
const looks: V1LookList = {
  looks: [
    {
      id: '6b0be99db6684d70cb7eb7a1',
      name: 'Oak table',
      request: {
        prompt: 'On a light oak table in soft daylight from a window',
        ...defaultOptions,
        numImages: 1,
      },
      exportPresets: ['amazon-main'],
    },
  ],
};
const batch: V1Batch = {
  id: '6b0be9a316c58bde24cfbca6',
  name: 'Autumn catalogue',
  projectId: project.id,
  state: 'running',
  cancelled: false,
  pausedBecause: null,
  waitsUntil: null,
  rows: 2,
  round: 1,
  images: { total: 2, waiting: 0, underWay: 1, succeeded: 1, failed: 0, cancelled: 0 },
  timeLeft: null,
  createdAt: '2026-11-29T09:00:00.000Z',
  endedAt: null,
  removedAt: null,
};
const oak = 'On a light oak table in soft daylight from a window';
const rows: V1CreateBatch['rows'] = [
  { sku: 'MUG-001', prompt: oak, photos: [{ url: 'https://photos.shop.example/mug.jpg' }] },
];
const more: V1AddRows['rows'] = [
  {
    sku: 'MUG-002',
    prompt: oak,
    numImages: 2,
    photos: [{ url: 'https://photos.shop.example/blue-mug.jpg' }],
  },
];
const batchRows: V1BatchRows = {
  rows: [
    {
      index: 0,
      sku: 'MUG-001',
      asin: null,
      productName: 'Walnut mug',
      prompt: oak,
      images: [
        {
          generationId: succeeded.id,
          state: 'succeeded',
          url: succeeded.image!.url,
          match: 'high',
          failure: null,
          againFailure: null,
          approved: true,
        },
      ],
    },
  ],
  next: null,
};
const usage: V1Usage = {
  from: '2026-11-28',
  to: '2026-11-29',
  images: 12,
  days: [
    { date: '2026-11-28', images: 0 },
    { date: '2026-11-29', images: 12 },
  ],
  projects: [{ id: project.id, name: project.name, images: 12 }],
  keys: [
    { id: '6b0be9a316c58bde24cfbca6', name: 'Shop import', images: 9 },
    { id: null, name: null, images: 3 },
  ],
};
const webhook: Webhook = {
  id: '6b0be9a316c58bde24cfbca4',
  mode: 'live',
  url: 'https://shop.example/packshot',
  events: ['generation.succeeded', 'generation.failed'],
  enabled: true,
  off: null,
  failingSince: null,
  previousSecretUntil: null,
  createdAt: '2026-11-29T09:00:00.000Z',
};
const delivery: WebhookDelivery = {
  id: '6b0be9a316c58bde24cfbca5',
  eventId: 'msg_5f0c6e2b9d8147a3b1e4f7629c80da35',
  type: 'webhook.test',
  state: 'delivered',
  createdAt: '2026-11-29T09:00:00.000Z',
  nextTryAt: null,
  body: '{"type":"webhook.test","timestamp":"2026-11-29T09:00:00.000Z","data":{"webhookId":"6b0be9a316c58bde24cfbca4"}}',
  tries: [{ at: '2026-11-29T09:00:00.100Z', milliseconds: 80, status: 204, failure: null, reply: '' }],
};
const error: ErrorReply = {
  error: {
    code: 'MAX_IMAGES',
    message: 'This would use 4 images, and 2 were agreed to. Nothing was made.',
    requestId: 'c61640457327cfd08231a8c9dabf1211',
    docs: 'https://packshot.example/documentation/first-image-with-the-api#errors',
  },
};

/** An example of each schema of the API for programs, as its document has it. */
export const v1Examples: readonly (readonly [z.ZodType, object])[] = [
  [v1CreateRequestSchema, request],
  [v1EditRequestSchema, edits],
  [v1CreatedSchema, created],
  [v1GenerationSchema, succeeded],
  [v1SetSchema, set],
  [v1GenerationListSchema, list],
  [v1EstimateSchema, estimate],
  [v1BalanceSchema, balance],
  [v1ExportPresetListSchema, presets],
  [v1ExportCheckSchema, check],
  [v1ProjectSchema, project],
  [v1ProjectListSchema, projects],
  [v1LookListSchema, looks],
  [v1BatchSchema, batch],
  [v1CreateBatchSchema, { name: batch.name, rows }],
  [v1AddRowsSchema, { rows: more }],
  [v1BatchSpendSchema, { maxImages: 2 }],
  [v1BatchRetrySchema, { round: 1, maxImages: 1 }],
  [v1BatchAgainSchema, { round: 1, generations: [succeeded.id], maxImages: 1 }],
  [v1BatchReviewSchema, { generations: [succeeded.id], approved: true }],
  [v1BatchRowsSchema, batchRows],
  [v1UsageSchema, usage],
  [createWebhookSchema, { url: webhook.url, events: webhook.events }],
  [webhookSchema, webhook],
  [webhookListSchema, { webhooks: [webhook] }],
  [webhookWithSecretSchema, { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', webhook }],
  [webhookDeliverySchema, delivery],
  [webhookDeliveryListSchema, { deliveries: [delivery], nextCursor: null }],
  [errorReplySchema, error],
];

for (const [schema, example] of v1Examples) {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), examples: [example] });
}
