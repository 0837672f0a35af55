import type { BatchAction } from './batches.ts';

/** Paths of batches. Apart from `paths`, which every page loads. */
export const batchPaths = {
  /** GET: 200 `BatchList`. POST: body `CreateBatch`, 201 `BatchView`. */
  batches: '/api/batches',
  /** GET: 200 `BatchView`. DELETE: 204. */
  batch: (id: string) => `/api/batches/${id}`,
  /** GET a page of the rows of a batch: 200 `BatchItems`. */
  batchItems: (id: string) => `/api/batches/${id}/items`,
  /** PUT multipart, a photo of the batch: 200 `BatchPhotoReply`. */
  batchPhoto: (id: string, sha256: string) => `/api/batches/${id}/photos/${sha256}`,
  /** POST `start`, `pause`, `resume`, `cancel` or `retry`: 200 `BatchView`. */
  batchAction: (id: string, action: BatchAction) => `/api/batches/${id}/${action}`,
  /** POST: body `ReviewBatch`, 200 `BatchView`. */
  batchReview: (id: string) => `/api/batches/${id}/review`,
  /** POST: body `MakeAgain`, 200 `BatchView`. */
  batchAgain: (id: string) => `/api/batches/${id}/again`,
  /** GET, query `BatchProducts`: a CSV that a shop system imports. */
  batchProducts: (id: string) => `/api/batches/${id}/products`,
  /** GET, query `BatchArchive`: a ZIP of its images. */
  batchArchive: (id: string) => `/api/batches/${id}/archive`,
  /** GET: a CSV that says what became of each image. */
  batchReport: (id: string) => `/api/batches/${id}/report`,
} as const;
