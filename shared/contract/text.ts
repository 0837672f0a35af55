/** Control characters except tabs and line breaks, and the replacement character of bytes that are not valid text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
export const forbiddenCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/;
