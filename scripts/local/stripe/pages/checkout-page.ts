/** The checkout page: the purchase on one side, the card form on the other. */
import { type Html, html } from '../../html.ts';
import type { StripeEngine } from '../engine.ts';
import type { CheckoutView } from '../views.ts';
import { type Answer, type Form, formTokenField, type PageRoutes } from './answer.ts';
import {
  type CardEntry,
  type CardProblems,
  cardFields,
  checkCard,
  emptyCardEntry,
  enterKeyButton,
  fillTestCard,
  readCardEntry,
  testCardRow,
  testCards,
  textField,
} from './card-form.ts';
import type { ChallengeErrors } from './challenge.ts';
import {
  backLink,
  formatDay,
  formatMoney,
  merchant,
  merchantName,
  messageBox,
  pageDocument,
} from './layout.ts';
import { PageNotFound, problemPage } from './problem.ts';

/** The typed fields and their errors. `failure` is about the payment as a whole. */
interface CheckoutEntry {
  email: string;
  card: CardEntry;
  problems: CardProblems & { email?: string };
  failure?: string | undefined;
}

/** The page of an open session. `now` is in Unix seconds. */
function checkoutPage(view: CheckoutView, entry: CheckoutEntry, now: number): Html {
  return pageDocument({
    title: `Subscribe to ${view.product.name}`,
    layout: 'split',
    cardFields: true,
    body: html`<section class="order" aria-label="Your order"><div class="column">${order(view, now)}</div></section>
<section class="pay" aria-label="Payment"><div class="column">${paymentForm(view, entry)}</div></section>`,
  });
}

function order(view: CheckoutView, now: number): Html {
  const { product, price, trialDays, amountDue, currency } = view;
  const recurring = price.unit_amount;
  return html`<div class="stack">
${backLink(view.cancelUrl, 'Back')}
${merchantName()}
<div class="stack tight">
<h1>Subscribe to ${product.name}</h1>
<p class="price">${formatMoney(recurring, currency)} <small>per month</small></p>
${
  trialDays !== null &&
  html`<p class="soft">${trialDays} days free, then ${formatMoney(recurring, currency)} from ${formatDay(now + trialDays * 86_400)}</p>`
}
</div>
<dl class="sums">
<div><dt>${product.name}
${product.description && html`<p class="soft small">${product.description}</p>`}</dt>
<dd class="number">${formatMoney(recurring, currency)}</dd></div>
${trialDays !== null && html`<div><dt>Free trial</dt><dd class="number">${trialDays} days</dd></div>`}
<div class="total"><dt>Total due today</dt><dd class="number">${formatMoney(amountDue, currency)}</dd></div>
</dl>
</div>`;
}

/** The email address of the session's customer; undefined when the customer has to enter it. */
function knownAddress({ customer, session }: CheckoutView): string | undefined {
  return customer?.email ?? session.customer_email ?? undefined;
}

function paymentForm(view: CheckoutView, entry: CheckoutEntry): Html {
  const knownEmail = knownAddress(view);
  return html`<form class="stack" method="post" action="/c/pay/${view.session.id}" novalidate>
${enterKeyButton()}${formTokenField()}
<h2>Pay with card</h2>
${
  knownEmail
    ? html`<div class="field"><span class="small soft">Email</span><span>${knownEmail}</span></div>`
    : textField({
        name: 'email',
        label: 'Email',
        type: 'email',
        value: entry.email,
        autocomplete: 'email',
        placeholder: 'you@example.com',
        problem: entry.problems.email,
        focus: entry.problems.email !== undefined,
      })
}
${testCardRow()}
${cardFields(entry.card, entry.problems, entry.problems.email !== undefined)}
${entry.failure && messageBox('bad', entry.failure)}
<button class="button main wide">${view.trialDays === null ? 'Subscribe' : 'Start trial'}</button>
<p class="small soft">By subscribing, you let ${merchant} charge your card each period until you cancel. This is
a test: use a test card, never your own.</p>
</form>`;
}

/** The page of a session that has been paid. */
function completePage(successUrl: string): Html {
  return problemPage({
    title: 'You’re all done here',
    text: 'This checkout has been paid. Nothing more is charged if you open it again.',
    back: { address: successUrl, text: `Return to ${merchant}` },
  });
}

/** The page of an expired session. */
function expiredPage(cancelUrl: string | null): Html {
  return problemPage({
    title: 'This checkout has expired',
    text: `Nothing was charged. Go back to ${merchant} and choose the plan again to get a new one.`,
    back: { address: cancelUrl, text: `Return to ${merchant}` },
  });
}

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
