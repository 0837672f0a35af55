/** `/v1/subscription_schedules`. */
import { z } from 'zod';
import { cancelNow } from '../billing/cancellation.ts';
import { createSchedule, releaseSchedule, updateSchedule } from '../billing/schedules.ts';
import { invalidRequest } from '../errors.ts';
import type { Api } from './api.ts';
import {
  flag,
  integer,
  metadata,
  newMetadata,
  nonEmptyText,
  prorationBehavior,
  quantity,
  timeOrNow,
} from './fields.ts';

const phase = z.strictObject({
  items: z.array(z.strictObject({ price: nonEmptyText, quantity: quantity.default(1) })).length(1),
  start_date: timeOrNow.optional(),
  end_date: timeOrNow.optional(),
  duration: z.strictObject({ interval: nonEmptyText, interval_count: integer.optional() }).optional(),
  iterations: quantity.optional(),
  proration_behavior: prorationBehavior.optional(),
  metadata: newMetadata.optional(),
});

/** Adds the calls for subscription schedules. */
export function addScheduleRoutes(api: Api): void {
  const { core } = api;
  const at = (value: 'now' | number | undefined) => (value === 'now' ? core.now() : value);

  api.post(
    '/v1/subscription_schedules',
    z.strictObject({ from_subscription: nonEmptyText, metadata: newMetadata.optional() }),
    (input) => createSchedule(core, input.from_subscription, input.metadata),
  );
  api.retrieve('/v1/subscription_schedules/:id', (id) => core.getOrThrow('subscription_schedule', id));
  api.post(
    '/v1/subscription_schedules/:id',
    z.strictObject({
      phases: z.array(phase).min(1).optional(),
      end_behavior: z.enum(['release', 'cancel']).optional(),
      proration_behavior: prorationBehavior.optional(),
      metadata: metadata.optional(),
    }),
    (input, { id }) =>
      updateSchedule(core, id as string, {
        endBehavior: input.end_behavior,
        metadata: input.metadata,
        phases: input.phases?.map((each, index) => {
          const [item] = each.items as [(typeof each.items)[number]];
          return {
            price: core.getOrThrow('price', item.price, `phases[${index}][items][0][price]`),
            quantity: item.quantity,
            startDate: at(each.start_date),
            endDate: at(each.end_date),
            duration: each.duration,
            iterations: each.iterations,
            prorationBehavior: each.proration_behavior,
            metadata: each.metadata,
          };
        }),
      }),
  );
  api.post(
    '/v1/subscription_schedules/:id/release',
    z.strictObject({ preserve_cancel_date: flag.optional() }),
    (_input, { id }) => releaseSchedule(core, id as string),
  );
  api.post(
    '/v1/subscription_schedules/:id/cancel',
    z.strictObject({ invoice_now: flag.optional(), prorate: flag.optional() }),
    (input, { id }) => {
      const { subscription } = core.getOrThrow('subscription_schedule', id as string);
      if (subscription === null) throw invalidRequest('This schedule has ended.');
      cancelNow(core, subscription, input);
      return core.getOrThrow('subscription_schedule', id as string);
    },
  );
  api.list(
    '/v1/subscription_schedules',
    z.strictObject({ customer: nonEmptyText.optional(), scheduled: flag.optional() }),
    ({ customer }) => core.store.list('subscription_schedule', { customer }),
  );
}
