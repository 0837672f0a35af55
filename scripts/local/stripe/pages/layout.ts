/** The layout that all pages share, and small components. */
import { type Html, html } from '../../html.ts';
import { formTokenField } from './answer.ts';

/** The merchant named on the pages. */
export const merchant = 'Packshot';

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' " +
  "height='32' rx='9' fill='%233b3fc4'/%3E%3Crect x='6' y='9' width='20' height='14' rx='3' fill='%23fff'/%3E" +
  "%3Cpath d='M6 14h20' stroke='%233b3fc4' stroke-width='3'/%3E%3C/svg%3E";

/** A whole document. */
export function pageDocument(page: { title: string; body: Html }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${page.title} · Local Stripe</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="/pages/style.css">
</head>
<body>
<header class="stand-in"><p><strong>Test payments.</strong> This is ${merchant}’s local stand-in for
Stripe. No money moves; use test cards only.</p></header>
<main>
${page.body}
</main>
</body>
</html>
`;
}

/** The merchant's logo and name. */
export function merchantName(): Html {
  return html`<p class="merchant">
<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
<rect width="32" height="32" rx="9" fill="#a8431c"/>
<path d="M6 25h12.5a7.5 7.5 0 0 0 7.5-7.5V7" fill="none" stroke="#fffaf3" stroke-width="2.5" stroke-linecap="round"/>
<rect x="8" y="12" width="10" height="9.5" rx="2.2" fill="#fffaf3"/>
</svg>
${merchant}</p>`;
}

/** The link back to the merchant; nothing unless the URL is http or https. */
export function backLink(address: string | null | undefined, text: string): Html | undefined {
  if (!address || !/^(https?:\/\/|\/)/i.test(address)) return undefined;
  return html`<a class="back" href="${address}"><span aria-hidden="true">←</span> ${text}</a>`;
}

/** A message that screen readers announce when the page loads; `bad` interrupts, the others wait. */
export function messageBox(kind: 'good' | 'bad' | 'plain', content: Html | string): Html {
  return html`<div class="message ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${content}</div>`;
}

/** A label for a status: green for good, red for bad, otherwise grey. */
export function badge(state: string): Html {
  const good = ['active', 'trialing', 'paid', 'complete', 'delivered'];
  const bad = ['past_due', 'unpaid', 'uncollectible', 'given-up', 'incomplete'];
  const tone = good.includes(state) ? 'good' : bad.includes(state) ? 'bad' : 'plain';
  const words = state.replaceAll(/[_-]/g, ' ');
  return html`<span class="badge ${tone}">${words.charAt(0).toUpperCase()}${words.slice(1)}</span>`;
}

/** A form that consists of one button. `hiddenText` tells screen reader users which item the button belongs to. */
export function actionButton(action: string, label: string, tone = '', hiddenText = ''): Html {
  return html`<form method="post" action="${action}">${formTokenField()}
<button class="button ${tone}">${label}${hiddenText !== '' && html`<span class="visually-hidden"> ${hiddenText}</span>`}</button></form>`;
}

/** Formats an amount in a currency's smallest unit: (5000, 'usd') is "$50.00". */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  // Yen have no decimals and dinars have three, so the number of decimals comes from the currency.
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Formats a time in Unix seconds as a date: "November 21, 2026". In UTC, like Stripe's periods. */
export function formatDay(seconds: number): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(seconds * 1000);
}

/** Formats a time in Unix seconds as date and time: "Nov 21, 2026, 1:02:03 PM UTC". */
export function formatTime(seconds: number): string {
  const format = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return `${format.format(seconds * 1000)} UTC`;
}

/** A page that explains an error, with a link if there is one. */
export function problemPage(problem: {
  title: string;
  text: string;
  back?: { address: string | null; text: string };
}): Html {
  return pageDocument({
    title: problem.title,
    body: html`${merchantName()}
<section class="panel stack">
<h1>${problem.title}</h1>
<p>${problem.text}</p>
${problem.back && backLink(problem.back.address, problem.back.text)}
</section>`,
  });
}

/** Thrown for an unknown URL: a page with status 404. */
export class PageNotFound extends Error {
  readonly title: string;

  /** @param title what was not found; `text` may explain why */
  constructor(title: string, text: string) {
    super(text);
    this.title = title;
  }
}
