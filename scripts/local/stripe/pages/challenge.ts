/** `/authenticate/<challenge>`: the 3-D Secure page of the card issuer. */
import { type Html, html } from '../../html.ts';
import type { StripeEngine } from '../engine.ts';
import type { ChallengeView } from '../views.ts';
import { formTokenField, type PageRoutes } from './answer.ts';
import { formatMoney, merchant, PageNotFound, pageDocument, problemPage } from './layout.ts';

/** Adds the page on which the cardholder authenticates. */
export function addChallengeRoutes(routes: PageRoutes, engine: StripeEngine): void {
  function find(challengeId: string): ChallengeView {
    const view = engine.findChallenge(challengeId);
    if (view === undefined) {
      throw new PageNotFound('No such 3-D Secure challenge', 'The URL may be incomplete or mistyped.');
    }
    return view;
  }

  routes.get('/authenticate/:challenge', ({ part }) => {
    const view = find(part('challenge'));
    return { page: view.challenge.state === 'open' ? challengePage(view) : answeredPage(view) };
  });

  routes.post('/authenticate/:challenge', ({ part, form }) => {
    const { challenge } = find(part('challenge'));
    const result = engine.answerChallenge(challenge.id, form.answer === 'complete');
    if (result.outcome === 'done') {
      const done = { checkout: undefined, card: 'card-added', invoice: 'paid' }[challenge.purpose];
      return {
        location: done === undefined ? result.returnUrl : withQuery(result.returnUrl, `done=${done}`),
      };
    }
    return { location: withQuery(result.returnUrl, `refused=${challenge.id}`) };
  });
}

function withQuery(address: string, query: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

function challengePage({ challenge, card }: ChallengeView): Html {
  const saving = challenge.purpose === 'card' || challenge.amount === 0;
  return pageDocument({
    title: '3-D Secure',
    body: html`<section class="panel stack">
<h1>Confirm it’s you</h1>
<p>Your bank asks you to confirm ${
      saving
        ? html`that ${merchant} may save this card.`
        : html`a payment of <strong class="number">${formatMoney(challenge.amount, challenge.currency)}</strong> to ${merchant}.`
    }</p>
<dl class="sums">
<div><dt class="soft">Card</dt><dd class="number">•••• ${card.card.last4}</dd></div>
</dl>
<form class="actions" method="post" action="/authenticate/${challenge.id}">
${formTokenField()}
<button class="button main" name="answer" value="complete">Complete</button>
<button class="button" name="answer" value="fail">Fail</button>
</form>
<p class="small soft">A simulated 3-D Secure page: “Complete” authenticates the payment, “Fail” rejects it.</p>
</section>`,
  });
}

function answeredPage({ challenge, backUrl }: ChallengeView): Html {
  return problemPage({
    title: 'This challenge has been answered',
    text: 'It can be answered only once. There is nothing else to do here.',
    back: {
      address: challenge.state === 'refused' ? withQuery(backUrl, `refused=${challenge.id}`) : backUrl,
      text: 'Go back',
    },
  });
}

/**
 * Why the challenge of this id was refused. The URL contains the id and never the text, so that nobody can make the page
 * show a text of their own.
 */
export function refusalOf(engine: StripeEngine, challengeId = ''): string | undefined {
  return engine.findChallenge(challengeId)?.challenge.failure;
}
