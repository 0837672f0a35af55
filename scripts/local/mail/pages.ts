/** The pages: the list of mails, a mail, and the HTML of a mail for its iframe. */
import { type Html, html } from '../html.ts';
import type { Mail, MailAttachment } from './mail.ts';
import { pageDocument } from './page-layout.ts';

/** The ways to show a mail. */
export const mailViews = ['html', 'text'] as const;
type MailView = (typeof mailViews)[number];

const viewNames: Readonly<Record<MailView, string>> = { html: 'HTML', text: 'Text' };

/** The list, newest first. @param newestId the newest mail received, listed or not */
export function listPage(mails: readonly Mail[], newestId: number): string {
  return pageDocument(
    'Mails',
    html`<div class="page">
<header>
<div><h1>Mails</h1><span class="soft">${mails.length} stored here, not delivered</span></div>
</header>
<main>
${
  mails.length === 0
    ? html`<div class="empty"><p>No mails yet.</p><span class="soft">This page updates automatically.</span></div>`
    : html`<ul class="mails">${mails.map(listItem)}</ul>`
}
</main>
</div>`,
    newestId,
  );
}

function listItem({ id, to, from, subject, at }: Mail): Html {
  return html`<li><a href="/mails/${id}">
<span class="subject">${subject || '(no subject)'}</span>
<time datetime="${at}" class="soft">${shownTime(at)}</time>
<span class="people soft">to ${to.join(', ')} · from ${from || '(no sender)'}</span>
</a></li>`;
}

/** Formats a time: `2026-11-21 14:05:09 UTC`. */
function shownTime(at: string): string {
  return `${at.slice(0, 19).replace('T', ' ')} UTC`;
}

/** A mail with links to its files. */
export function mailPage(mail: Mail, view: MailView, files: readonly MailAttachment[]): string {
  return pageDocument(
    mail.subject || '(no subject)',
    html`<div class="page mail">
<header><a class="back" href="/">← All mails</a></header>
<main>
<h1>${mail.subject || '(no subject)'}</h1>
<dl>
<dt>From</dt><dd>${mail.from || '(no sender)'}</dd>
<dt>To</dt><dd>${mail.to.join(', ')}</dd>
<dt>Received</dt><dd><time datetime="${mail.at}">${shownTime(mail.at)}</time></dd>
${files.length === 0 ? undefined : html`<dt>Attached</dt><dd>${files.map((file, index) => attachmentLink(mail.id, file, index))}</dd>`}
</dl>
<nav class="tabs" aria-label="Parts of the mail">${mailViews.map((other) => tab(mail.id, other, other === view))}</nav>
${mailContent(mail, view)}
</main>
</div>`,
  );
}

function attachmentLink(id: number, { fileName, content }: MailAttachment, index: number): Html {
  const size = `${Math.max(1, Math.round(content.length / 1024)).toLocaleString('en')} kB`;
  return html`<a href="/mails/${id}/attachments/${index}" download>${fileName}</a> <span class="soft">${size}</span> `;
}

function tab(id: number, view: MailView, current: boolean): Html {
  return current
    ? html`<a href="/mails/${id}?view=${view}" aria-current="page">${viewNames[view]}</a>`
    : html`<a href="/mails/${id}?view=${view}">${viewNames[view]}</a>`;
}

function mailContent(mail: Mail, view: MailView): Html {
  if (view === 'text') {
    return mail.text === ''
      ? html`<div class="empty"><p>The mail has no text part.</p></div>`
      : html`<pre tabindex="0">${linkify(mail.text)}</pre>`;
  }
  return mail.html === ''
    ? html`<div class="empty"><p>The mail has no HTML part.</p></div>`
    : html`<iframe title="The mail as HTML" sandbox="${frameRights}" src="/mails/${mail.id}/html"></iframe>`;
}

/** Text with clickable URLs. */
function linkify(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : html`${piece}`));
}

/** The sandbox flags of the iframe: links may navigate the top window; no scripts, forms or origin. */
export const frameRights = 'allow-top-navigation-by-user-activation';

/** The HTML of a mail for the iframe. Its links open in the top window, as in a mail program. */
export function framedHtml(source: string): string {
  const doctype = /^\s*<!doctype[^>]*>/i.exec(source)?.[0] ?? '<!doctype html>';
  const rest = source.replace(/^\s*<!doctype[^>]*>/i, '');
  // At the start of the document, so that a <base> in the mail has no effect.
  return `${doctype}<base target="_top">${rest}`;
}

/** The page for an unknown URL. */
export function missingPage(): string {
  return pageDocument(
    'No such mail',
    html`<div class="page"><main><h1>No such mail</h1><p>It was deleted, or it was removed because 1,000 newer mails arrived.</p><a href="/">All mails</a></main></div>`,
  );
}
