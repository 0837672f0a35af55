import { z } from 'zod';

/**
 * Characters of an address of a photo; signed ones have many. How many a server fetches at the same time, of a seller and in
 * all; how many more wait, and for how long in seconds. Not part of `limits`, which every page loads.
 */
export const photoAddressLimits = {
  characters: 4_000,
  atOnceOfSeller: 3,
  atOnce: 8,
  waitingOfSeller: 50,
  waiting: 400,
  waitSeconds: 30,
} as const;

/** Body of `POST /api/photo-addresses`: where a photo is on the internet. */
export const fetchPhotoSchema = z.strictObject({
  url: z
    .string()
    .min(1)
    .max(photoAddressLimits.characters)
    .describe('An https address that anybody can open, such as `https://cdn.shop.com/mug.jpg`.'),
});
