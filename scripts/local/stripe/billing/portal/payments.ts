/** Cards and payments in the portal. */
import type { Core } from '../../core/core.ts';
import { invalidRequest } from '../../errors.ts';
import type { CardDetails, PortalOutcome } from '../../views.ts';
import { challengeInvoice, createChallenge } from '../challenges.ts';
import { collect } from '../collection.ts';
import { attachDefaultCard, saveTypedCard } from './cards.ts';

/** Adds a card and makes it the default. */
export function addCard(core: Core, sessionId: string, details: CardDetails): PortalOutcome {
  const session = core.getOrThrow('billing_portal.session', sessionId);
  const typed = saveTypedCard(core, details);
  if ('declined' in typed) return { outcome: 'declined', ...typed.declined };
  if (!typed.needsChallenge) {
    attachDefaultCard(core, session.customer, typed.method.id);
    return { outcome: 'done' };
  }
  const challenge = createChallenge(core, {
    purpose: 'card',
    session: sessionId,
    paymentMethod: typed.method.id,
    invoice: null,
    amount: 0,
    currency: core.getOrThrow('customer', session.customer).currency ?? 'usd',
  });
  return { outcome: 'authenticate', challengeId: challenge.id };
}

/** Pays an open invoice of the customer with the default card. */
export function payInvoiceInPortal(core: Core, sessionId: string, invoiceId: string): PortalOutcome {
  const session = core.getOrThrow('billing_portal.session', sessionId);
  const invoice = core.getOrThrow('invoice', invoiceId);
  if (invoice.customer !== session.customer || invoice.status !== 'open') {
    throw invalidRequest('This invoice cannot be paid here.', 'invoice');
  }
  const { result } = collect(core, invoice, { presence: 'on-session' });
  if (result.outcome !== 'authenticate') return result.outcome === 'paid' ? { outcome: 'done' } : result;
  const challenge = challengeInvoice(core, sessionId, invoice);
  return { outcome: 'authenticate', challengeId: challenge.id };
}
