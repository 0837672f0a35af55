/** What a portal session permits, and for how long. */
import type { StripeEngine } from '../engine.ts';
import type { PortalSession } from '../objects.ts';
import type { PortalView } from '../views.ts';

/** What the configuration permits. */
export interface PortalPermissions {
  changePlan: boolean;
  cancel: boolean;
  cards: boolean;
  invoices: boolean;
}

/** Reads the permissions from the session's configuration. */
export function portalPermissions({ configuration }: PortalView): PortalPermissions {
  const { features } = configuration;
  return {
    changePlan: features.subscription_update.enabled,
    cancel: features.subscription_cancel.enabled,
    cards: features.payment_method_update.enabled,
    invoices: features.invoice_history.enabled,
  };
}

/** A URL within the session: its first page, or with `parts` a page below it. */
export function portalAddress(view: PortalView, ...parts: string[]): string {
  return ['/p/session', view.session.id, ...parts].join('/');
}

/** In seconds: how soon a session must be opened, and how long it lasts without activity. */
const firstUse = 300;
const idle = 3600;

/**
 * Limits the lifetime of portal sessions like Stripe's: 5 minutes until the first use, then one hour after each use.
 */
export class PortalVisits {
  readonly #clock: Pick<StripeEngine, 'now'>;
  /** When each session was last used, in the engine's time. */
  readonly #lastUse = new Map<string, number>();

  constructor(clock: Pick<StripeEngine, 'now'>) {
    this.#clock = clock;
  }

  /** Whether the session is still valid; if so, its lifetime is extended. */
  use(session: Pick<PortalSession, 'id' | 'created'>): boolean {
    const now = this.#clock.now();
    const last = this.#lastUse.get(session.id);
    const ends = last === undefined ? session.created + firstUse : last + idle;
    if (now > ends) return false;
    this.#lastUse.set(session.id, now);
    return true;
  }
}
