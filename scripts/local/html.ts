/** HTML template literals that escape every value which is not HTML already. */

const brand: unique symbol = Symbol('html');

/** HTML that is safe to send; only `html` creates it. */
export interface Html {
  readonly [brand]: string;
}

/** Values allowed in a template. undefined, null and false produce nothing; lists are concatenated. */
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
 * Template tag for HTML. Values are escaped for text and for quoted attributes: write `href="${…}"`, never
 * `href=${…}`. Values must not be used within `<script>` and `<style>`.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return { [brand]: strings.reduce((written, text, index) => written + write(values[index - 1]) + text) };
}

/** The HTML as a string. */
export function htmlText(piece: Html): string {
  return piece[brand];
}
