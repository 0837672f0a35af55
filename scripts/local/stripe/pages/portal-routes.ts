/** `/p/session/<session>`: the portal, in which a customer manages their subscription. */
import type { StripeEngine } from '../engine.ts';
import type { PortalOutcome, PortalView } from '../views.ts';
import type { Answer, PageRequest, PageRoutes } from './answer.ts';
import { emptyCardEntry, readCardForm } from './card-form.ts';
import type { ChallengeErrors } from './challenge.ts';
import { merchant, PageNotFound, problemPage } from './layout.ts';
import { type PortalPermissions, PortalVisits, portalAddress, portalPermissions } from './portal-access.ts';
import { addCardPage, cancelPage } from './portal-form-pages.ts';
import { choosePlanPage, confirmChangePage, type PortalMessage, portalPage } from './portal-page.ts';
import { cancelsAt } from './portal-plan.ts';

/** What the first page says after an action, by the value of `done` in the URL. */
const doneTexts: Readonly<Record<string, string>> = {
  changed: 'Your plan has been changed.',
  scheduled: 'Your plan will change at the end of the paid period.',
  kept: 'The change has been cancelled. You keep your plan.',
  ending: 'Your plan will end at the end of the paid period.',
  resumed: 'Your plan continues.',
  'card-added': 'The card has been added.',
  'card-default': 'The next invoice is charged to this card.',
  'card-removed': 'The card has been removed.',
  paid: 'The payment went through. Thank you.',
};

type PortalHandler = (view: PortalView, pageRequest: PageRequest, may: PortalPermissions) => Answer;

/** Adds the pages of the portal. What the configuration does not permit redirects to the first page. */
export function addPortalRoutes(
  routes: PageRoutes,
  engine: StripeEngine,
  challengeErrors: ChallengeErrors,
): void {
  const visits = new PortalVisits(engine);

  /** Looks up the session for a handler; an unknown or expired session gets an error page. */
  function within(handler: PortalHandler): (pageRequest: PageRequest) => Answer {
    return (pageRequest) => {
      const view = engine.findPortal(pageRequest.part('session'));
      if (view === undefined) {
        throw new PageNotFound('There is no such session', 'The URL may be incomplete or mistyped.');
      }
      if (!visits.use(view.session)) return { page: expiredPage(view), status: 410 };
      return handler(view, pageRequest, portalPermissions(view));
    };
  }
  const get = (path: string, handler: PortalHandler) =>
    routes.get(`/p/session/:session${path}`, within(handler));
  const post = (path: string, handler: PortalHandler) =>
    routes.post(`/p/session/:session${path}`, within(handler));

  get('', (view, { query }) => ({ page: portalPage(view, messageOf(query, challengeErrors)) }));

  get('/change', (view, _request, may) =>
    may.changePlan && view.subscription !== null ? { page: choosePlanPage(view) } : home(view),
  );
  get('/change/:price', (view, { part }) => {
    if (!offered(view, part('price'))) return home(view);
    return { page: confirmChangePage(view, engine.portalPreviewChange(view.session.id, part('price'))) };
  });
  post('/change/:price', (view, { part }) => {
    const price = part('price');
    if (!offered(view, price)) return home(view);
    const preview = engine.portalPreviewChange(view.session.id, price);
    const outcome = engine.portalChangePlan(view.session.id, price);
    return after(view, outcome, preview.when === 'now' ? 'changed' : 'scheduled', (failure) =>
      confirmChangePage(view, preview, failure),
    );
  });
  post('/undo-change', (view, _request, may) => {
    if (!may.changePlan || view.pendingChange === null) return home(view);
    engine.portalUndoSchedule(view.session.id);
    return home(view, 'kept');
  });

  get('/cancel', (view, _request, may) => {
    if (!may.cancel || view.subscription === null || cancelsAt(view.subscription) !== undefined) {
      return home(view);
    }
    return { page: cancelPage(view, view.subscription) };
  });
  post('/cancel', (view, _request, may) => {
    if (!may.cancel || view.subscription === null || cancelsAt(view.subscription) !== undefined) {
      return home(view);
    }
    engine.portalCancel(view.session.id);
    return home(view, 'ending');
  });
  post('/resume', (view, _request, may) => {
    if (!may.cancel || view.subscription === null || cancelsAt(view.subscription) === undefined) {
      return home(view);
    }
    engine.portalResume(view.session.id);
    return home(view, 'resumed');
  });

  get('/cards/new', (view, _request, may) =>
    may.cards ? { page: addCardPage(view, emptyCardEntry, {}) } : home(view),
  );
  post('/cards/new', (view, { form }, may) => {
    if (!may.cards) return home(view);
    const entry = readCardForm(form, view.customer, engine.now());
    if (entry.card === undefined) return { page: addCardPage(view, entry.typed, entry.problems) };
    return after(view, engine.portalAddCard(view.session.id, entry.card), 'card-added', (failure) =>
      addCardPage(view, entry.typed, {}, failure),
    );
  });
  post('/cards/:card/default', (view, { part }, may) => {
    if (!may.cards || !view.cards.some(({ id }) => id === part('card'))) return home(view);
    engine.portalSetDefaultCard(view.session.id, part('card'));
    return home(view, 'card-default');
  });
  post('/cards/:card/remove', (view, { part }, may) => {
    const inUse = view.subscription !== null && view.defaultCard === part('card');
    if (!may.cards || inUse || !view.cards.some(({ id }) => id === part('card'))) return home(view);
    engine.portalRemoveCard(view.session.id, part('card'));
    return home(view, 'card-removed');
  });

  post('/invoices/:invoice/pay', (view, { part }, may) => {
    const invoice = view.invoices.find(({ id }) => id === part('invoice'));
    if (!may.invoices || invoice?.status !== 'open') return home(view);
    const outcome = engine.portalPayInvoice(view.session.id, part('invoice'));
    return after(view, outcome, 'paid', (failure) => portalPage(view, { kind: 'bad', text: failure }));
  });
}

/** Redirects to the first page; `done` names the completed action. */
function home(view: PortalView, done?: string): Answer {
  return { location: portalAddress(view) + (done === undefined ? '' : `?done=${done}`) };
}

/** Where a payment leads: on after success, to 3-D Secure, or to the page again with an error message. */
function after(
  view: PortalView,
  outcome: PortalOutcome,
  done: string,
  pageAgain: (failure: string) => ReturnType<typeof portalPage>,
): Answer {
  if (outcome.outcome === 'done') return home(view, done);
  if (outcome.outcome === 'authenticate') return { location: `/authenticate/${outcome.challengeId}` };
  return { page: pageAgain(outcome.message) };
}

/** Whether the customer can change to this price. */
function offered(view: PortalView, priceId: string): boolean {
  return (
    portalPermissions(view).changePlan &&
    view.subscription !== null &&
    view.offers.some(({ price, current }) => price.id === priceId && !current)
  );
}

function messageOf(query: PageRequest['query'], challengeErrors: ChallengeErrors): PortalMessage | undefined {
  const message = challengeErrors.textOf(query.refused);
  if (message !== undefined) return { kind: 'bad', text: message };
  const text = doneTexts[query.done ?? ''];
  return text === undefined ? undefined : { kind: 'good', text };
}

function expiredPage({ session }: PortalView) {
  return problemPage({
    title: 'This session has expired',
    text: `For your security, billing sessions expire after a while. Open them again from ${merchant}.`,
    back: { address: session.return_url, text: `Return to ${merchant}` },
  });
}
