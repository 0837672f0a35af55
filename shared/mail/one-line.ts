/** User input, made safe for a sentence of a mail or its subject. */
import { isolateName } from '#contract/isolate-name.ts';

/** Removes control characters, replaces line breaks and runs of spaces by one space, and isolates right-to-left text. */
export function oneLine(text: string): string {
  return isolateName(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim());
}
