/**
 * Text without control characters except tabs and line breaks, and without the replacement character of bytes that are no text.
 * The API's document repeats the pattern, so it is written as every kind of regular expression has it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
export const plainText = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f�]*$/;
