/** Error pages. */
import { type Html, html } from '../../html.ts';
import { backLink, merchantName, pageDocument } from './layout.ts';

/** A page that explains an error, with a link if there is one. */
export function problemPage(problem: {
  title: string;
  text: string;
  back?: { address: string | null; text: string };
}): Html {
  return pageDocument({
    title: problem.title,
    layout: 'narrow',
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
