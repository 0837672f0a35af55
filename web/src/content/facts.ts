import { limits, photoFormats, webhookTries } from '#contract';
import { planTable } from '#contract/plan-table.ts';
import { requestLimits } from '#contract/request-limits.ts';
import { usualFreeImages } from './usual-free-images.ts';

const { freelance, enterprise } = planTable;

const count = (value: number) => value.toLocaleString('en-US');
const price = (cents: number) => `$${count(cents / 100)}`;

/**
 * Numbers of the code that texts name. Markdown writes `{photos}`, and the build puts the value in (`web/build/remark-facts.ts`).
 * Defaults of settings are written out, because the app cannot read the server's and does not need the schema of the
 * seller's; `web/build/facts.test.ts` compares them.
 */
export const facts = {
  photos: count(limits.photos),
  photoFormats,
  photoSize: `${count(limits.photoBytes / 1024 / 1024)} MB`,
  photoFileSize: `${count(limits.photoFileBytes / 1024 / 1024)} MB`,
  photoMegapixels: count(limits.photoPixels / 1_000_000),
  photoSideLeast: count(limits.photoSideLeast),
  photoSideRatio: count(limits.photoSideRatio),
  photoSideGood: count(limits.photoSideGood),
  photoSide: count(limits.photoSide),
  sceneCharacters: count(limits.promptCharacters),
  imageWidth: count(limits.outputWidth),
  imageHeight: count(limits.outputHeight),
  freelancePrice: price(freelance.monthlyPriceCents),
  freelanceImages: count(freelance.monthlyGenerations),
  enterprisePrice: price(enterprise.monthlyPriceCents),
  fairUse: count(3_000),
  freeImages: count(usualFreeImages),
  freeImagesDays: count(limits.freeImagesDays),
  graceDays: count(3),
  passwordCharacters: count(limits.passwordCharacters),
  signInAttempts: count(limits.signInAttempts),
  lockOutFailures: count(limits.lockOutFailures),
  lockOutMinutes: count(limits.lockOutMinutes),
  recoveryCodes: count(limits.recoveryCodes),
  passkeys: count(limits.passkeys),
  apiKeys: count(limits.apiKeys),
  apiWaitSeconds: count(limits.apiWaitSeconds),
  webhooks: count(limits.webhooks),
  webhookSeconds: count(limits.webhookSeconds),
  webhookTries: count(webhookTries),
  webhookFailingDays: count(limits.webhookFailingDays),
  webhookRotationHours: count(limits.webhookRotationHours),
  webhookLogDays: count(limits.webhookLogDays),
  apiRequests: count(requestLimits.seller.api.requests),
  verificationHours: count(limits.verificationHours),
  keptPhotoHours: count(limits.visitorPhotoHours),
  unverifiedDays: count(limits.unverifiedDays),
  resetMinutes: count(limits.resetMinutes),
  undoDays: count(limits.undoDays),
  undoDeletionSeconds: count(limits.undoDeletionSeconds),
  trashDays: count(limits.trashDays),
  activityDays: count(limits.activityDays),
  notificationDays: count(limits.notificationDays),
  knownDeviceDays: count(limits.knownDeviceDays),
  sessionDays: count(limits.sessionDays),
  sessionMinutes: count(limits.sessionSeconds / 60),
  sessionTimeoutMinutes: count(30),
  staySignedInDays: count(limits.staySignedInDays),
  passwordExpiryDays: count(90),
  exportsAnHour: count(limits.exportsAnHour),
  exportTicketSeconds: count(limits.exportTicketSeconds),
  pageSize: count(limits.pageSize),
  pageSizeMost: count(limits.pageSizeMost),
  imagesPerRequest: count(limits.imagesPerRequest),
  looks: count(limits.looks),
  imagesDeletedAtOnce: count(limits.imagesDeletedAtOnce),
  exportImages: count(limits.exportImages),
  imagesMovedAtOnce: count(limits.imagesMovedAtOnce),
  batchRows: count(limits.batchRows),
  batchUploadDays: count(limits.batchUploadDays),
  batchRowsPage: count(limits.batchRowsPage),
  batchSpace: `${count(limits.unstartedBytes / 1024 ** 3)} GB`,
  batchSpaceWithoutPlan: `${count(limits.unstartedBytesWithoutPlan / 1024 ** 2)} MB`,
  remakesAMonth: count(limits.remakesAMonth),
  markPoints: count(limits.markPoints),
  idempotencyKeyCharacters: count(limits.idempotencyKeyCharacters),
  uploadsOfSeller: count(limits.uploadsOfSeller),
  uploadsPerMinute: count(requestLimits.network.upload.requests),
} as const;
