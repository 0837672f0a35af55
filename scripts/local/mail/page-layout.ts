/** The layout that all pages of the mail server share, with style sheet and script. */
import { type Html, html, htmlText } from '../html.ts';

/**
 * A whole page.
 * @param newestId the newest mail that the page knows; with it, the page reloads when another one arrives
 */
export function pageDocument(title: string, content: Html, newestId?: number): string {
  const watch =
    newestId === undefined
      ? undefined
      : html`<script src="/watch.js" data-after="${newestId}" defer></script>`;
  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
${watch}
</head>
<body>
${content}
</body>
</html>
`);
}

/** Reloads the page when a mail arrives, by long polling. */
export const watchScript = `const { after } = document.currentScript.dataset;
async function watch() {
  const response = await fetch('/api/mails/wait?timeoutMs=60000&after=' + after);
  if (response.status === 200) location.reload();
  else if (response.status === 204) await watch();
}
// The server has stopped; the page stays as it is.
watch().catch(() => {});
`;

export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f3ee, #171512);
  --surface: light-dark(#fffdf9, #211e1a);
  --sunken: light-dark(#ede8df, #2b2722);
  --ink: light-dark(#221d17, #f4efe7);
  --ink-soft: light-dark(#625a4e, #b9af9f);
  --line: light-dark(#ddd5c8, #3b362f);
  --line-strong: light-dark(#94897a, #857b6d);
  --accent: light-dark(#a8431c, #ee9468);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--page);
  color: var(--ink);
  font: 1rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
}
.page { max-width: 64rem; margin: 0 auto; padding: 1rem 1rem 2rem; }
.mail, .mail main { display: flex; flex-direction: column; }
.mail { min-height: 100dvh; padding-bottom: 1rem; }
.mail header { margin-bottom: .25rem; }
.mail main { flex: 1; }
header { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; justify-content: space-between; margin-bottom: 1rem; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
.soft { color: var(--ink-soft); }
.back { display: inline-flex; align-items: center; min-height: 2.75rem; }
.mails { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 1rem; background: var(--surface); overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .125rem 1rem; padding: .75rem 1rem; color: inherit; text-decoration: none; }
.mails a:hover { background: var(--sunken); }
.mails a:focus-visible { outline-offset: -3px; border-radius: 1rem; }
.mails .subject { font-weight: 600; overflow-wrap: anywhere; }
.mails .people { grid-column: 1 / -1; font-size: .9375rem; overflow-wrap: anywhere; }
time { font-size: .9375rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.empty { padding: 3rem 1rem; text-align: center; border: 1px dashed var(--line-strong); border-radius: 1rem; }
.empty p { margin: 0 0 .5rem; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .125rem 1rem; margin: .5rem 0 1rem; }
dt { color: var(--ink-soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.tabs { display: flex; gap: .25rem; margin-bottom: .75rem; border-bottom: 1px solid var(--line); }
.tabs a { padding: .625rem .875rem; color: var(--ink-soft); text-decoration: none; border-bottom: 3px solid transparent; margin-bottom: -1px; }
.tabs a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
iframe { flex: 1; width: 100%; min-height: 30rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--surface); }
pre {
  margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--surface);
  font: .875rem/1.6 ui-monospace, "SF Mono", Menlo, "Liberation Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere;
}
@media (max-width: 34rem) { .mails a { grid-template-columns: minmax(0, 1fr); } }
`;
