import { expect, test } from 'vitest';
import { html, htmlText } from './html.ts';

test('escapes values in text and in attributes', () => {
  const name = `<script>alert("1")</script> & 'Ana'`;
  expect(htmlText(html`<p title="${name}">${name}</p>`)).toBe(
    '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Ana&#39;">' +
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Ana&#39;</p>',
  );
});

test('nested HTML is not escaped twice, and missing values produce no output', () => {
  const rows = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  expect(htmlText(html`<ul>${rows}</ul>${undefined}${null}${false}${0}`)).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
  );
});

test('an object that imitates the Html type is escaped', () => {
  const forged = JSON.parse('{"html":"<img>"}') as never;
  expect(() => htmlText(html`${forged}`)).toThrow();
});
