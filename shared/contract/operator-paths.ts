import type { OperatorGenerationAction } from './operator-generations.ts';
import type { OperatorSellerAction } from './operator-sellers.ts';
import type { OperatorQueueAction } from './operators.ts';

/** Paths of the API for operators only. Not in `paths`, which every public page loads. */
export const operatorPaths = {
  /** GET, query `OperatorActionQuery`: 200 `OperatorActionList`, newest first. */
  actions: '/api/operator/actions',
  /** GET: 200 `OperatorNow`. */
  now: '/api/operator/now',
  /** GET, query `OperatorSeriesQuery`: 200 `OperatorSeries`. */
  series: '/api/operator/series',
  /** POST ends a pause of the calls to the image provider, body `OperatorReasonOnly`: 200 `OperatorNow`. */
  tryProvider: '/api/operator/provider/try',
  /** GET, query `OperatorCostsQuery`: 200 `OperatorCosts`. */
  costs: '/api/operator/costs',
  /** GET: 200 `OperatorQueueView`. */
  queue: '/api/operator/queue',
  /** POST, body `OperatorReasonOnly`: 200 `OperatorQueueView`. */
  queueAction: (action: OperatorQueueAction) => `/api/operator/queue/${action}`,
  /** GET, query `OperatorSellerQuery`: 200 `OperatorSellerList`. */
  sellers: '/api/operator/sellers',
  /** GET: 200 `OperatorSellerView`. */
  seller: (id: string) => `/api/operator/sellers/${id}`,
  /** GET: 200 `CreditEntryList`, newest first. */
  sellerLedger: (id: string) => `/api/operator/sellers/${id}/ledger`,
  /** GET what Stripe says now: 200 `OperatorStripePlan`. */
  sellerStripe: (id: string) => `/api/operator/sellers/${id}/stripe`,
  /** POST gives or takes images: body `OperatorImages`, 200 `OperatorSellerView`. */
  sellerImages: (id: string) => `/api/operator/sellers/${id}/images`,
  /** GET what ending the billing would do: 200 `OperatorBilling`. */
  sellerBilling: (id: string) => `/api/operator/sellers/${id}/billing`,
  /** POST, body `OperatorReasonOnly`: 200 `OperatorExport`. GET with its ticket: the ZIP of everything about the seller. */
  sellerExport: (id: string) => `/api/operator/sellers/${id}/export`,
  /** POST, body `OperatorDeletion`: 200 `OperatorDeletionReply`. */
  sellerDeletion: (id: string) => `/api/operator/sellers/${id}/delete`,
  /** GET, query `OperatorRefusalQuery`: 200 `OperatorRefusedSellers`. */
  refusals: '/api/operator/refusals',
  /** GET: 200 `OperatorSellerRefusals`. */
  sellerRefusals: (id: string) => `/api/operator/sellers/${id}/refusals`,
  /** GET, and POST (body `OperatorNote`): 200 `OperatorNoteList`. */
  sellerNotes: (id: string) => `/api/operator/sellers/${id}/notes`,
  /** PUT, body `OperatorDailyLimit`: 200 `OperatorSellerView`. */
  sellerDailyLimit: (id: string) => `/api/operator/sellers/${id}/daily-limit`,
  /** POST, body `OperatorSellerActionBody`: 200 `OperatorSellerView`. */
  sellerAction: (id: string, action: OperatorSellerAction) => `/api/operator/sellers/${id}/${action}`,
  /** bull-board, a page: the raw view of the queue. */
  queueBoard: '/api/operator/board',
  /** GET: 200 `OperatorMailList`. */
  mails: '/api/operator/mails',
  /** POST, body `OperatorReasonOnly`: 200 `OperatorMailList`. */
  sendMail: (id: string) => `/api/operator/mails/${id}/send`,
  /** GET: 200 `OperatorEventList`. */
  events: '/api/operator/events',
  /** POST, body `OperatorReasonOnly`: 200 `OperatorEventList`. */
  handleEvent: (id: string) => `/api/operator/events/${id}/handle`,
  /** GET: 200 `OperatorWebhookCallList`. */
  webhookCalls: '/api/operator/webhook-calls',
  /** POST, body `OperatorReasonOnly`: 200 `OperatorWebhookCallList`. */
  callWebhook: (id: string) => `/api/operator/webhook-calls/${id}/send`,
  /** GET, PUT (body `SetBanner`) and DELETE (body `OperatorReasonOnly`): 200 `OperatorBanner`. */
  banner: '/api/operator/banner',
  /** GET, query `OperatorGenerationQuery`: 200 `OperatorGenerationList`. */
  generations: '/api/operator/generations',
  /** GET: 200 `OperatorGenerationView`. */
  generation: (id: string) => `/api/operator/generations/${id}`,
  /** POST, body `OperatorGenerationActionBody`: 200 `OperatorGenerationReply`. */
  generationAction: (id: string, action: OperatorGenerationAction) =>
    `/api/operator/generations/${id}/${action}`,
  /** POST, body `OperatorReasonOnly`: 200 `OperatorPhotos`. */
  photos: (id: string) => `/api/operator/generations/${id}/photos`,
  /** GET a photo or the image: `photo-0`, `image`. */
  image: (id: string, name: string) => `/api/operator/generations/${id}/images/${name}`,
} as const;
