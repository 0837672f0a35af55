/** Moves the clock and does everything that is due, in chronological order. */
import { addMonths } from '../core/calendar.ts';
import type { Core } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Stored } from '../objects.ts';
import type { ClockStep } from '../views.ts';
import { expireCheckout } from './checkout.ts';
import { retryInvoice } from './collection.ts';
import { subscriptionDue } from './renewal.ts';
import { scheduleDue } from './schedules.ts';

/** The time that a step leads to, in Unix seconds. @throws StripeApiError 400 for a step backwards */
export function targetOf(now: number, step: ClockStep): number {
  const target = 'to' in step ? step.to : 'months' in step ? addMonths(now, step.months) : now + step.seconds;
  if (!Number.isInteger(target) || target < now) {
    throw invalidRequest('The clock only moves forward.', 'to');
  }
  return target;
}

/**
 * Does everything that is due up to a time, each item at its own time and in its own transaction, and leaves the
 * clock at that time. A crash in between loses nothing: the rest is still due.
 */
export function moveClock(core: Core, target: number): void {
  for (
    let next = core.store.nextDue();
    next !== undefined && next.due <= target;
    next = core.store.nextDue()
  ) {
    const { due } = next;
    // At the same time, schedules come before renewals, so that the renewal invoice has the price of the new phase.
    const object = firstOf(core, due, next.object);
    core.clock.at(due, () =>
      core.perform(() => {
        core.clock.moveTo(due);
        doDue(core, object);
      }),
    );
  }
  core.clock.moveTo(target);
}

function firstOf(core: Core, due: number, object: Stored): Stored {
  if (object.object !== 'subscription' || object.schedule === null) return object;
  const schedule = core.store.get('subscription_schedule', object.schedule);
  return schedule !== undefined && (schedule.current_phase?.end_date ?? Infinity) <= due ? schedule : object;
}

function doDue(core: Core, object: Stored): void {
  switch (object.object) {
    case 'subscription':
      subscriptionDue(core, object);
      return;
    case 'subscription_schedule':
      scheduleDue(core, object);
      return;
    case 'invoice':
      retryInvoice(core, object);
      return;
    case 'checkout.session':
      expireCheckout(core, object);
      return;
    default:
      throw new Error(`nothing can be due for a ${object.object}`);
  }
}
