import { isolateName } from '#contract/isolate-name.ts';

/** A text without control characters, and with one space for each line break or run of spaces. */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

/** User input, made safe for a sentence of a mail or its subject: one line, which is isolated if it is from right to left. */
export function oneLine(text: string): string {
  return isolateName(inOneLine(text));
}
