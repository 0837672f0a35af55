import type { ImagePack, SubscriptionView } from '#contract';

/** The packs that this installation sells: the server writes them into the document. None by default. */
export function soldPacks(): readonly ImagePack[] {
  return JSON.parse(document.documentElement.dataset.imagePacks ?? '[]') as ImagePack[];
}

/** Images of packs that can be used now. */
export const packImagesLeft = ({ packImages }: SubscriptionView) => packImages?.left ?? 0;

/** Whether images of packs can still be used: some are available, or may be again because they are on hold. */
export const hasPackImages = ({ packImages }: SubscriptionView) =>
  packImages !== undefined && packImages.left + packImages.held > 0;
