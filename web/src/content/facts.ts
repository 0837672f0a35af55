import { limits } from '#contract';
import { planTable } from '#contract/plan-table.ts';
import { usualFreeImages } from './usual-free-images.ts';

const { freelance, enterprise } = planTable;

export const count = (value: number) => value.toLocaleString('en-US');
const price = (cents: number) => `$${count(cents / 100)}`;

/**
 * Numbers of the code that the questions and answers name. Those that only Markdown names are in `web/build/page-facts.ts`, so
 * that pages do not load them. Defaults of settings are written out, because the app cannot read the server's and does not need
 * the schema of the seller's; `web/build/facts.test.ts` compares them.
 */
export const facts = {
  photos: count(limits.photos),
  photoSize: `${count(limits.photoBytes / 1024 / 1024)} MB`,
  freelancePrice: price(freelance.monthlyPriceCents),
  freelanceImages: count(freelance.monthlyGenerations),
  enterprisePrice: price(enterprise.monthlyPriceCents),
  fairUse: count(3_000),
  freeImages: count(usualFreeImages),
  trashDays: count(limits.trashDays),
} as const;
