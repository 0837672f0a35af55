/** `/c/pay/<session>`: the checkout page. */
import type { StripeEngine } from '../engine.ts';
import type { CheckoutView } from '../views.ts';
import type { Answer, Form, PageRoutes } from './answer.ts';
import { checkCard, emptyCardEntry, fillTestCard, readCardEntry, testCards } from './card-form.ts';
import type { ChallengeErrors } from './challenge-errors.ts';
import {
  type CheckoutEntry,
  checkoutPage,
  completePage,
  expiredPage,
  knownAddress,
} from './checkout-page.ts';
import { PageNotFound } from './problem.ts';

/** Adds the checkout page. */
export function addCheckoutRoutes(
  routes: PageRoutes,
  engine: StripeEngine,
  challengeErrors: ChallengeErrors,
): void {
  function find(sessionId: string): CheckoutView {
    const view = engine.findCheckout(sessionId);
    if (view === undefined) {
      throw new PageNotFound('There is no such checkout', 'The URL may be incomplete or mistyped.');
    }
    return view;
  }

  routes.get('/c/pay/:session', ({ part, query }) => {
    const view = find(part('session'));
    const closed = closedAnswer(view);
    if (closed !== undefined) return closed;
    const entry: CheckoutEntry = {
      email: refusedEmail(view, query.refused) ?? '',
      card: emptyCardEntry,
      problems: {},
      failure: challengeErrors.textOf(query.refused),
    };
    return { page: checkoutPage(view, entry, engine.now()) };
  });

  /** The email address that was entered before a 3-D Secure challenge of this session failed. */
  function refusedEmail({ session }: CheckoutView, challengeId = ''): string | undefined {
    const asked = engine.findChallenge(challengeId);
    return asked?.challenge.session === session.id
      ? (asked.card.billing_details.email ?? undefined)
      : undefined;
  }

  routes.post('/c/pay/:session', ({ part, form }) => {
    const view = find(part('session'));
    if (view.session.status === 'complete') return { location: successUrl(view) };
    return closedAnswer(view) ?? pay(view, form);
  });

  function pay(view: CheckoutView, form: Form): Answer {
    const now = engine.now();
    const email = (form.email ?? '').trim().slice(0, 200);
    const typed = readCardEntry(form);
    const show = (entry: Partial<CheckoutEntry>): Answer => ({
      page: checkoutPage(view, { email, card: typed, problems: {}, ...entry }, now),
    });

    const filled = testCards.find(({ number }) => number === form.fill);
    if (filled !== undefined) {
      const name = typed.name || view.customer?.name || 'Test Buyer';
      return show({ card: fillTestCard(filled.number, name, now) });
    }

    const asksEmail = knownAddress(view) === undefined;
    const { card, problems } = checkCard(typed, now);
    if (asksEmail && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
      return show({ problems: { email: 'Enter a complete email address.', ...problems } });
    }
    if (card === undefined) return show({ problems });

    const result = engine.payCheckout(view.session.id, asksEmail ? { ...card, email } : card);
    if (result.outcome === 'paid') return { location: result.redirectUrl };
    if (result.outcome === 'authenticate') return { location: `/authenticate/${result.challengeId}` };
    return show({ failure: result.message });
  }
}

/** The page of a session that is no longer open. */
function closedAnswer(view: CheckoutView): Answer | undefined {
  if (view.session.status === 'complete') return { page: completePage(successUrl(view)) };
  if (view.session.status === 'expired') return { page: expiredPage(view.cancelUrl) };
  return undefined;
}

/** The success URL with the session's id filled in. */
function successUrl({ session }: CheckoutView): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
