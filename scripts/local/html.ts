/** HTML made of template literals, in which every value is escaped unless it is HTML already. */

const brand: unique symbol = Symbol('html');

/** A piece of HTML that is safe to send; only `html` makes one. */
export interface Html {
  readonly [brand]: string;
}

/** What may stand in a template: nothing for undefined, null and false; lists one after the other. */
export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

function isHtml(value: object): value is Html {
  return brand in value;
}

function write(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (typeof value !== 'object') return escapeText(String(value));
  return isHtml(value) ? value[brand] : value.map(write).join('');
}

/**
 * Tags a template of HTML. Values are escaped for text and for quoted attributes: write `href="${…}"`, never
 * `href=${…}`. Values have no place in `<script>` and `<style>`.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return { [brand]: strings.reduce((written, text, index) => written + write(values[index - 1]) + text) };
}

/** The characters that go over the wire. */
export function htmlText(piece: Html): string {
  return piece[brand];
}
