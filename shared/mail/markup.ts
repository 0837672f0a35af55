/** HTML templates that escape every value. */

/** Escaped HTML. Only `markup` creates it, so plain text cannot be mistaken for it. */
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
 * Template tag for HTML. Text is escaped for content and for attributes in double quotes, Markup is inserted as it is,
 * lists are joined, undefined is skipped.
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

/** Escapes text for content and for quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
