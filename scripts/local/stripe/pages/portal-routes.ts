/** `/p/session/<session>`: the portal, in which a customer manages their subscription. */
import type { StripeEngine } from '../engine.ts';
import type { PortalFlow } from '../objects.ts';
import type { PortalOutcome, PortalView } from '../views.ts';
import type { Answer, PageRequest, PageRoutes } from './answer.ts';
import { emptyCardEntry, readCardForm } from './card-form.ts';
import { refusalOf } from './challenge.ts';
import { merchant, PageNotFound, problemPage } from './layout.ts';
import { type PortalPermissions, PortalVisits, portalAddress, portalPermissions } from './portal-access.ts';
import {
  addCardPage,
  cancelPage,
  choosePlanPage,
  confirmChangePage,
  type PortalMessage,
  portalPage,
} from './portal-page.ts';
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

type PortalHandler = (view: PortalView, pageRequest: PageRequest) => Answer;

/** Whether a page exists for a customer; otherwise it redirects to the first page. */
type Condition = (view: PortalView, may: PortalPermissions, pageRequest: PageRequest) => boolean;

const always: Condition = () => true;
const hasCards: Condition = (_view, may) => may.cards;
const hasPlans: Condition = ({ subscription }, may) => may.changePlan && subscription !== null;
const isOffered: Condition = (view, may, request) =>
  hasPlans(view, may, request) &&
  view.offers.some(({ price, current }) => price.id === request.part('price') && !current);
const isScheduled: Condition = (view, may) => may.changePlan && view.pendingChange !== null;
const canCancel: Condition = ({ subscription }, may) =>
  may.cancel && subscription !== null && cancelsAt(subscription) === undefined;
const canResume: Condition = ({ subscription }, may) =>
  may.cancel && subscription !== null && cancelsAt(subscription) !== undefined;
const ownsCard: Condition = ({ cards }, may, { part }) =>
  may.cards && cards.some(({ id }) => id === part('card'));
const isRemovable: Condition = (view, may, request) =>
  ownsCard(view, may, request) && (view.subscription === null || view.defaultCard !== request.part('card'));
const isPayable: Condition = ({ invoices }, may, { part }) =>
  may.invoices && invoices.some(({ id, status }) => id === part('invoice') && status === 'open');

/** Adds the pages of the portal. */
export function addPortalRoutes(routes: PageRoutes, engine: StripeEngine): void {
  const visits = new PortalVisits(engine);

  /** Looks up the session for a handler; an unknown or expired session gets an error page. */
  function within(condition: Condition, handler: PortalHandler): (pageRequest: PageRequest) => Answer {
    return (pageRequest) => {
      const view = engine.findPortal(pageRequest.part('session'));
      if (view === undefined) {
        throw new PageNotFound('There is no such session', 'The URL may be incomplete or mistyped.');
      }
      if (!visits.use(view.session)) return { page: expiredPage(view), status: 410 };
      return condition(view, portalPermissions(view), pageRequest) ? handler(view, pageRequest) : home(view);
    };
  }
  const get = (path: string, condition: Condition, handler: PortalHandler) =>
    routes.get(`/p/session/:session${path}`, within(condition, handler));
  const post = (path: string, condition: Condition, handler: PortalHandler) =>
    routes.post(`/p/session/:session${path}`, within(condition, handler));
  /** An action that needs no page of its own. */
  const act = (
    path: string,
    condition: Condition,
    done: string,
    run: (session: string, part: PageRequest['part']) => void,
  ) =>
    post(path, condition, (view, { part }) => {
      run(view.session.id, part);
      return home(view, done);
    });

  get('', always, (view, { query }) => {
    const next = view.session.flow === null ? undefined : flowAnswer(view, view.session.flow, query);
    return next ?? { page: portalPage(view, messageOf(engine, query)) };
  });

  get('/change', hasPlans, (view) => ({ page: choosePlanPage(view) }));
  get('/change/:price', isOffered, (view, { part, query }) => ({
    page: confirmChangePage(
      view,
      engine.portalPreviewChange(view.session.id, part('price')),
      refusalOf(engine, query.refused),
    ),
  }));
  post('/change/:price', isOffered, (view, { part }) => {
    const preview = engine.portalPreviewChange(view.session.id, part('price'));
    const outcome = engine.portalChangePlan(view.session.id, part('price'));
    return after(view, outcome, preview.when === 'now' ? 'changed' : 'scheduled', (failure) =>
      confirmChangePage(view, preview, failure),
    );
  });
  act('/undo-change', isScheduled, 'kept', (session) => engine.portalUndoSchedule(session));

  get('/cancel', canCancel, (view) => ({ page: cancelPage(view, view.subscription!) }));
  act('/cancel', canCancel, 'ending', (session) => engine.portalCancel(session));
  act('/resume', canResume, 'resumed', (session) => engine.portalResume(session));

  get('/cards/new', hasCards, (view) => ({ page: addCardPage(view, emptyCardEntry, {}) }));
  post('/cards/new', hasCards, (view, { form }) => {
    const entry = readCardForm(form, view.customer, engine.now());
    if (entry.card === undefined) return { page: addCardPage(view, entry.typed, entry.problems) };
    return after(view, engine.portalAddCard(view.session.id, entry.card), 'card-added', (failure) =>
      addCardPage(view, entry.typed, {}, failure),
    );
  });
  act('/cards/:card/default', ownsCard, 'card-default', (session, part) =>
    engine.portalSetDefaultCard(session, part('card')),
  );
  act('/cards/:card/remove', isRemovable, 'card-removed', (session, part) =>
    engine.portalRemoveCard(session, part('card')),
  );

  post('/invoices/:invoice/pay', isPayable, (view, { part }) =>
    after(view, engine.portalPayInvoice(view.session.id, part('invoice')), 'paid', (failure) =>
      portalPage(view, { kind: 'bad', text: failure }),
    ),
  );
}

/** What ends a flow, by the value of `done` in the URL. */
const endOfFlow: Readonly<Record<PortalFlow['type'], readonly string[]>> = {
  payment_method_update: ['card-added', 'card-default'],
  subscription_update_confirm: ['changed', 'paid'],
};

/** A flow has one page, and leads back to the merchant when its action is done. */
function flowAnswer(
  view: PortalView,
  flow: PortalFlow,
  { done = '', refused }: PageRequest['query'],
): Answer {
  if (endOfFlow[flow.type].includes(done)) return { location: flow.after_completion.redirect.return_url };
  const query = refused === undefined ? '' : `?${new URLSearchParams({ refused })}`;
  const { subscription_update_confirm: confirm } = flow;
  const current = view.subscription?.items.data[0]?.price.id;
  if (confirm === null) return { location: portalAddress(view, 'cards', 'new') };
  if (current === confirm.price) return { location: flow.after_completion.redirect.return_url };
  return { location: portalAddress(view, 'change', confirm.price) + query };
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

function messageOf(engine: StripeEngine, query: PageRequest['query']): PortalMessage | undefined {
  const message = refusalOf(engine, query.refused);
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
