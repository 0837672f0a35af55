/** The pages for what cannot be shown. */
import { type Html, html } from '../../html.ts';
import { backLink, merchantName, pageDocument } from './layout.ts';

/** Says what is the matter, and leads out where there is a way. */
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

/** Thrown where an address leads to nothing: a page with status 404. */
export class PageNotFound extends Error {
  readonly title: string;

  /** @param title what is not there; `text` may say why */
  constructor(title: string, text: string) {
    super(text);
    this.title = title;
  }
}
