/** The classes of a link within text. */
export const textLinkClass = 'font-semibold text-accent underline underline-offset-3';
