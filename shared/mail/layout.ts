/** The layout of all mails: text and HTML are rendered from the same blocks, so they cannot differ. */
import { type Markup, markup } from './markup.ts';
import { inOneLine, oneLine } from './one-line.ts';

/** A mail's content, ready to be sent. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** One piece of a mail, from top to bottom. */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'facts'; facts: readonly (readonly [name: string, value: string])[] }
  | { kind: 'quote'; text: string }
  | { kind: 'button'; label: string; link: string }
  | { kind: 'smallPrint'; text: string; label?: string; link?: string };

/** A paragraph. */
export function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

/** A table of names and values. */
export function facts(...facts: readonly (readonly [name: string, value: string])[]): Block {
  return { kind: 'facts', facts };
}

/** Text of several lines that somebody else wrote. It is indented, so it cannot pass for a part of the mail. */
export function quote(text: string): Block {
  return { kind: 'quote', text: text.split('\n').map(oneLine).join('\n') };
}

/** The main action. @param link an absolute http or https URL */
export function button(label: string, link: string): Block {
  return { kind: 'button', label, link: webAddress(link) };
}

/** A sentence of minor importance. @param label text of a link after the sentence */
export function smallPrint(text: string, label?: string, link?: string): Block {
  if (label === undefined || link === undefined) return { kind: 'smallPrint', text };
  return { kind: 'smallPrint', text, label, link: webAddress(link) };
}

/** The normalised URL. @throws TypeError for anything but http and https */
function webAddress(link: string): string {
  const url = new URL(link);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TypeError(`A mail cannot link to ${url.protocol}`);
  }
  return url.href;
}

const signature = 'Packshot';
/** Every mail has a Reply-To that reaches a person (worker/mails/transport.ts). */
const usualFooter = 'This email was sent automatically by Packshot. If you need help, reply to it.';

/**
 * Renders a mail as text and HTML.
 * @param mail subject: names in it are made safe already (`oneLine`). fullName: for the greeting; without it the mail greets
 *   without a name. greeting: null for mails to us, which greet nobody. footer: instead of the usual last line
 */
export function composeMail(mail: {
  subject: string;
  heading: string;
  fullName?: string;
  greeting?: null;
  blocks: readonly Block[];
  footer?: string;
}): MailContent {
  const { heading, footer = usualFooter } = mail;
  const subject = inOneLine(mail.subject);
  const name = oneLine(mail.fullName ?? '');
  const greeting = mail.greeting === null ? [] : [paragraph(name === '' ? 'Hello,' : `Hello ${name},`)];
  const blocks = [...greeting, ...mail.blocks];
  return {
    subject,
    text: `${[heading, ...blocks.map(asText), `-- \n${signature}\n${footer}`].join('\n\n')}\n`,
    html: asDocument(subject, heading, blocks, footer),
  };
}

function asText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text;
    case 'facts':
      return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'quote':
      return block.text.replace(/^(?=.)/gm, '  ');
    case 'button':
      return `${block.label}:\n${block.link}`;
    case 'smallPrint':
      return block.link === undefined ? block.text : `${block.text}\n${block.label}: ${block.link}`;
  }
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const ink = 'color:#221d17';
const inkSoft = 'color:#625a4e';
const accent = 'color:#a8431c';

function asHtml(block: Block): Markup {
  switch (block.kind) {
    case 'paragraph':
      return markup`<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:25px;${ink}">${block.text}</p>`;
    case 'facts':
      return markup`<table role="presentation" class="facts" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px;background-color:#ede8df;border-radius:12px"><tr><td style="padding:14px 18px">${block.facts.map(asFact)}</td></tr></table>`;
    case 'quote':
      return markup`<p class="ink" style="margin:0 0 20px;padding:0 0 0 16px;border-left:3px solid #94897a;font-size:16px;line-height:25px;word-break:break-word;${ink}">${block.text.split('\n').map((line, index) => markup`${index === 0 ? undefined : lineBreak}${line}`)}</p>`;
    case 'button':
      // Outlook for Windows ignores the padding of a link: there it is the cell's. Elsewhere the whole button is the link.
      return markup`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px"><tr><td class="button" align="center" bgcolor="#a8431c" style="border-radius:12px;background-color:#a8431c;mso-padding-alt:14px 26px"><a class="button-label" href="${block.link}" style="display:inline-block;padding:14px 26px;mso-padding-alt:0;font-size:16px;line-height:20px;font-weight:600;color:#fffaf3;text-decoration:none;${font}">${block.label}</a></td></tr></table>
<p class="soft" style="margin:0 0 20px;font-size:14px;line-height:21px;${inkSoft}">${buttonFallback}<br><a class="accent" href="${block.link}" style="${accent};word-break:break-all">${block.link}</a></p>`;
    case 'smallPrint':
      return markup`<p class="soft" style="margin:0 0 12px;font-size:14px;line-height:21px;${inkSoft}">${block.text}${sideLink(block.label, block.link)}</p>`;
  }
}

/** In HTML only: the text shows the address anyway. */
export const buttonFallback = 'Button not working? Use this link:';

const lineBreak = markup`<br>
`;

function asFact([name, value]: readonly [string, string]): Markup {
  return markup`<p class="ink" style="margin:0;font-size:15px;line-height:25px;word-break:break-word;${ink}"><span class="soft" style="${inkSoft}">${name}:</span> ${value}</p>`;
}

function sideLink(label: string | undefined, link: string | undefined): Markup | undefined {
  if (link === undefined) return undefined;
  return markup` <a class="accent" href="${link}" style="${accent}">${label}</a>`;
}

/**
 * The complete document. Colours are in the elements, because not every mail program reads a style element; that only
 * replaces them in dark mode. Outlook for Windows knows no `max-width`, so it gets a table around the mail.
 */
function asDocument(subject: string, heading: string, blocks: readonly Block[], footer: string): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #171512 !important; }
  .card { background-color: #211e1a !important; border-color: #3b362f !important; }
  .facts { background-color: #2b2722 !important; }
  .ink { color: #f4efe7 !important; }
  .soft { color: #b9af9f !important; }
  .accent { color: #ee9468 !important; }
  .button { background-color: #ee9468 !important; }
  .button-label { color: #2a1206 !important; }
}
@media (max-width: 480px) {
  .inside { padding: 24px 20px 14px !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f6f3ee">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f6f3ee" style="background-color:#f6f3ee">
<tr><td align="center" style="padding:28px 12px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;${font}">
<tr><td class="ink" style="padding:0 8px 14px;font-size:19px;line-height:24px;font-weight:700;${ink}">${signature}</td></tr>
<tr><td class="card" bgcolor="#fffdf9" style="background-color:#fffdf9;border:1px solid #ddd5c8;border-radius:18px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed"><tr><td class="inside" style="padding:32px 36px 20px;word-wrap:break-word;overflow-wrap:break-word">
<h1 class="ink" style="margin:0 0 18px;font-size:24px;line-height:31px;font-weight:700;${ink}">${heading}</h1>
${blocks.map(asHtml)}
</td></tr></table>
</td></tr>
<tr><td class="soft" style="padding:16px 8px 0;font-size:13px;line-height:19px;${inkSoft}">${footer}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`.html;
}
