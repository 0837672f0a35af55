/** HTML from templates in which everything that is put in is escaped. */

/** A piece of finished HTML. Only `markup` makes it, so text cannot be taken for it. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }

  toString(): string {
    return this.html;
  }
}

type Insertable = string | number | Markup | readonly Markup[] | undefined;

/**
 * HTML with values in it: text is escaped for content and for attributes in double quotes, Markup goes in as it is,
 * a list one after the other, undefined as nothing.
 */
export function markup(parts: TemplateStringsArray, ...values: Insertable[]): Markup {
  return new Markup(parts.reduce((html, part, index) => html + insert(values[index - 1]) + part));
}

function insert(value: Insertable): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.html;
  if (typeof value === 'object') return value.map(({ html }) => html).join('');
  return escapeHtml(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
