/** The phases of subscription schedules. */
import { addIntervals, nextBoundary } from '../core/calendar.ts';
import { invalidRequest } from '../errors.ts';
import type { Price, Subscription, SubscriptionSchedule } from '../objects.ts';

type Phase = SubscriptionSchedule['phases'][number];

/** Parameters of a phase. Dates are in Unix seconds; a duration can be given instead of the end. */
export interface PhaseParams {
  price: Price;
  quantity: number;
  startDate?: number | undefined;
  endDate?: number | undefined;
  duration?: { interval: string; interval_count?: number | undefined } | undefined;
  /** Number of periods; 1 when neither an end nor a duration is given. */
  iterations?: number | undefined;
  prorationBehavior?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

/**
 * Resolves the parameters of phases to their dates.
 * @throws StripeApiError 400 when the first phase is not the current one, or when there is a gap between two
 */
export function resolvePhases(
  schedule: SubscriptionSchedule,
  subscription: Subscription,
  phaseParams: PhaseParams[],
): Phase[] {
  const phases: Phase[] = [];
  for (const [index, params] of phaseParams.entries()) {
    const start = params.startDate ?? phases.at(-1)?.end_date ?? schedule.current_phase?.start_date;
    const expected = phases.at(-1)?.end_date;
    if (start === undefined || (expected !== undefined && start !== expected)) {
      throw invalidRequest(
        `Phase ${index} must begin where the one before ends.`,
        `phases[${index}][start_date]`,
      );
    }
    if (index === 0 && start !== schedule.current_phase?.start_date) {
      throw invalidRequest(
        'The start date of the first phase must be that of the current phase.',
        'phases[0][start_date]',
      );
    }
    const { recurring } = params.price;
    // A phase of n periods ends on the subscription's own dates, so that a renewal on the 31st does not move after
    // February.
    let end = params.endDate;
    if (end === undefined && params.duration !== undefined) {
      end = addIntervals(
        start,
        { ...recurring, ...params.duration, interval_count: params.duration.interval_count ?? 1 },
        1,
      );
    }
    if (end === undefined) {
      end = start;
      for (let count = params.iterations ?? 1; count > 0; count -= 1) {
        end = nextBoundary(subscription.billing_cycle_anchor, recurring, end);
      }
    }
    if (end <= start) throw invalidRequest('A phase must end after it begins.', `phases[${index}][end_date]`);
    phases.push(phaseOf(params.price, params.quantity, start, end, params));
  }
  return phases;
}

/** A phase of the schedule with one price. `start` and `end` are in Unix seconds. */
export function phaseOf(
  price: Price,
  quantity: number,
  start: number,
  end: number,
  phaseParams: Pick<PhaseParams, 'prorationBehavior' | 'metadata'>,
): Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: price.currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: end,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: price.id,
        price: price.id,
        quantity,
        tax_rates: [],
      },
    ],
    metadata: phaseParams.metadata ?? {},
    on_behalf_of: null,
    proration_behavior: phaseParams.prorationBehavior ?? 'create_prorations',
    start_date: start,
    transfer_data: null,
    trial_end: null,
  };
}
