import { failureMessage, isolateName, type NotificationView, plans } from '#contract';
import type { NotificationContent, NotificationRow } from '#shared/data/notifications.ts';

/** What a seller sees of a notification, the same over HTTP and over the socket. */
export function presentNotification(row: NotificationRow): NotificationView {
  return {
    id: row._id,
    kind: row.kind,
    ...notificationText(row),
    generationId: row.generation,
    setId: row.set,
    batchId: row.kind === 'batch-ended' ? row.data.batch : null,
    createdAt: row.created_at.toISOString(),
    read: row.read_at !== null,
  };
}

const longDate = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

const imagesOf = (count: number) => (count === 1 ? '1 image' : `${count} images`);

/** What a notification says: a title, and a text that may be empty. Dates are in UTC. */
export function notificationText({ kind, data }: NotificationContent): { title: string; text: string } {
  switch (kind) {
    case 'image-ready':
      return { title: readyTitle(data.made, data.asked), text: isolateName(data.product_name) };
    case 'image-failed':
      return {
        title: `We couldn't create your ${data.asked === 1 ? 'image' : `${data.asked} images`}`,
        text: [isolateName(data.product_name), failureMessage({ ...data, code: data.failure })]
          .filter(Boolean)
          .join(': '),
      };
    case 'batch-ended':
      return {
        title: data.failed === 0 ? 'Your batch is done' : 'Your batch is done, with some failures',
        text: `${isolateName(data.name)}: ${batchOutcome(data)}`,
      };
    case 'low-balance':
      if (data.free) {
        return {
          title: data.left === 0 ? 'No free images left' : 'Only 1 free image left',
          text: 'Choose a plan to create more.',
        };
      }
      return {
        title: data.left === 0 ? 'No images left' : `Only ${imagesOf(data.left)} left`,
        text: data.renews_at
          ? `Your plan renews on ${longDate.format(data.renews_at)}. Upgrade for more until then.`
          : 'Renew or upgrade your plan to create more.',
      };
    case 'payment-succeeded':
      return {
        title: 'Payment received',
        text: `${plans[data.plan].name} plan until ${longDate.format(data.until)}${
          data.images === null ? '' : `: ${imagesOf(data.images)} added`
        }.`,
      };
    case 'payment-failed':
      return {
        title: 'Your payment failed',
        text: data.grace_until
          ? `Update your payment method by ${longDate.format(data.grace_until)} to keep creating images.`
          : 'Update your payment method to keep creating images.',
      };
    case 'plan-ended':
      return {
        title: `Your ${plans[data.plan].name} plan has ended`,
        text: 'Choose a plan to create more images.',
      };
  }
}

/** How many images of a batch came to what, such as `118 images ready, 2 failed.` */
export function batchOutcome(counts: { made: number; failed: number; cancelled: number }): string {
  const { made, failed, cancelled } = counts;
  const others = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  return `${[`${imagesOf(made)} ready`, ...others].join(', ')}.`;
}

function readyTitle(made: number, asked: number): string {
  if (asked === 1) return 'Your image is ready';
  return made === asked ? `Your ${asked} images are ready` : `${made} of ${asked} images are ready`;
}
