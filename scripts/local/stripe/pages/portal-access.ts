/** What a portal session lets its customer see and do, and for how long. */
import type { PortalView, StripeEngine } from '../engine.ts';
import type { PortalSession } from '../objects.ts';

/** What the configuration allows. `customer` lists the fields that can be changed here. */
export interface PortalPermissions {
  changePlan: boolean;
  cancel: boolean;
  cards: boolean;
  invoices: boolean;
  customer: ('name' | 'email')[];
}

/** Reads the features of the session's configuration. */
export function portalMay({ configuration }: PortalView): PortalPermissions {
  const { features } = configuration;
  const { enabled, allowed_updates: updates } = features.customer_update;
  return {
    changePlan: features.subscription_update.enabled,
    cancel: features.subscription_cancel.enabled,
    cards: features.payment_method_update.enabled,
    invoices: features.invoice_history.enabled,
    customer: enabled ? (['name', 'email'] as const).filter((field) => updates.includes(field)) : [],
  };
}

/** An address within the session: its first page, or with `parts` one beneath it. */
export function portalAddress(view: PortalView, ...parts: string[]): string {
  return ['/p/session', view.session.id, ...parts].join('/');
}

/** Seconds in which a session's address must be opened, and in which it ends when nothing is done. */
const firstUse = 300;
const idle = 3600;

/** Keeps portal sessions as short as Stripe's: an address is good for 5 minutes, then for an hour after each use. */
export class PortalVisits {
  readonly #clock: Pick<StripeEngine, 'now'>;
  /** When each session was last used, in the engine's time. */
  readonly #lastUse = new Map<string, number>();

  constructor(clock: Pick<StripeEngine, 'now'>) {
    this.#clock = clock;
  }

  /** Whether the session is still good; this use keeps it so. */
  use(session: Pick<PortalSession, 'id' | 'created'>): boolean {
    const now = this.#clock.now();
    const last = this.#lastUse.get(session.id);
    const ends = last === undefined ? session.created + firstUse : last + idle;
    if (now > ends) return false;
    this.#lastUse.set(session.id, now);
    return true;
  }
}
