import { useMutation } from '@tanstack/react-query';
import {
  type BuyPack,
  type CheckoutOrigin,
  type ImagePack,
  type PortalReply,
  paths,
  portalReplySchema,
} from '#contract';
import { callApi, messageOrFallback } from '#web/lib/api.ts';
import { countText } from '#web/lib/count-text.ts';
import { formatPrice } from '#web/lib/price.ts';
import { FieldError } from '#web/ui/field.tsx';
import { Section } from '#web/ui/section.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { useRedirect } from './api.ts';
import { soldPacks } from './packs.ts';

/** Opens a page to pay for a pack on. @returns its URL @throws ApiError */
function buyPack(body: BuyPack): Promise<PortalReply> {
  return callApi('POST', paths.imagePacks, portalReplySchema, { body });
}

const refunds =
  "You pay on Stripe's page, which shows the total with tax first. If a payment is refunded, its unused images are removed; used images stay yours.";

/** The packs on the page of the plan; nothing if none are sold. */
export function ImagePacksSection() {
  if (soldPacks().length === 0) return null;
  return (
    <Section
      id="packs"
      title="Image packs"
      lead="More images, paid once, with or without a plan. They don't expire, and are used when your plan and free images have none left."
    >
      <ImagePacks returnTo="profile" />
      <p className="mt-3 text-sm text-ink-soft">{refunds}</p>
    </Section>
  );
}

/** The packs in the studio, when no images are left; nothing if none are sold. */
export function ImagePacksAtPaywall() {
  if (soldPacks().length === 0) return null;
  return (
    <div className="grid items-center gap-x-6 border-t border-line pt-3 lg:grid-cols-[minmax(0,1fr)_auto]">
      <p className="font-semibold">
        Or pay once <span className="text-sm font-normal text-ink-soft">Images from packs don't expire.</span>
      </p>
      <div className="max-lg:my-2 lg:row-span-2 lg:min-w-140">
        <ImagePacks returnTo="studio" />
      </div>
      <p className="text-sm text-ink-soft">{refunds}</p>
    </div>
  );
}

function ImagePacks({ returnTo }: { returnTo: CheckoutOrigin }) {
  const { redirecting, redirectTo } = useRedirect();
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: ({ images, priceCents }: ImagePack) =>
      buyPack({ images, agreed: { amount: priceCents }, returnTo }),
    onSuccess: ({ url }) => redirectTo(url),
  });
  const busy = isPending || redirecting;
  return (
    <>
      <ul className="grid gap-2 sm:grid-cols-2">
        {soldPacks().map((pack) => (
          <li
            key={pack.images}
            className="flex items-center justify-between gap-3 rounded-field border border-line-strong py-2.5 pr-2.5 pl-3.5"
          >
            <p className="min-w-0">
              <span className="block font-semibold">{countText(pack.images, 'more image')}</span>
              <span className="block text-sm text-ink-soft">{formatPrice(pack.priceCents)}, once</span>
            </p>
            <SubmitButton
              type="button"
              variant="secondary"
              className="shrink-0"
              busy={busy && variables?.images === pack.images}
              busyLabel="One moment..."
              disabled={busy}
              aria-label={`Buy ${countText(pack.images, 'image')} for ${formatPrice(pack.priceCents)}`}
              onClick={() => mutate(pack)}
            >
              Buy
            </SubmitButton>
          </li>
        ))}
      </ul>
      <FieldError id="packs-error">
        {error && messageOrFallback(error, 'Failed to open the checkout. Nothing was charged.')}
      </FieldError>
    </>
  );
}
