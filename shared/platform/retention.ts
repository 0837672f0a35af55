import type { Settings } from './settings.ts';

/** How long things are kept that nobody deletes, in ms; null for ever (docs/decisions/0065-retention.md). */
export interface Retention {
  /** Lines of the activity log. */
  activities: number | null;
  notifications: number | null;
  /** Stripe's events, from when they were handled. */
  stripeEvents: number | null;
  /** The record that a mail was sent. */
  sentMails: number | null;
  /** What calls to the image provider cost. */
  costs: number | null;
  /** What is in the trash, from when it was deleted. */
  trash: number;
  /** Images with their photos and texts, from the end of the seller's plan; a change counts for plans that end afterwards. */
  images: number | null;
}

/** Reads the settings `KEEP_…_DAYS`. */
export function readRetention(settings: Settings): Retention {
  const milliseconds = (days: number) => (days === 0 ? null : days * 86_400_000);
  return {
    activities: milliseconds(settings.KEEP_ACTIVITIES_DAYS),
    notifications: milliseconds(settings.KEEP_NOTIFICATIONS_DAYS),
    stripeEvents: milliseconds(settings.KEEP_EVENTS_DAYS),
    costs: milliseconds(settings.KEEP_COSTS_DAYS),
    sentMails: milliseconds(settings.KEEP_SENT_MAILS_DAYS),
    trash: settings.KEEP_TRASH_DAYS * 86_400_000,
    images: milliseconds(settings.KEEP_IMAGES_DAYS),
  };
}
