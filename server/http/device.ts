import Bowser from 'bowser';

/** Where a request comes from, as the seller reads it. */
export interface Origin {
  /** Browser and system in words: "Firefox on Windows". */
  device: string;
  /** The network address, behind the proxies that are trusted. */
  address: string;
}

/** What a header may be at most before it is read: patterns are not run over more. */
const longest = 512;

/** How programs name themselves: `curl/8.5.0`. All browsers say that they are Mozilla. */
const program = /^(?!Mozilla\b)([A-Za-z][\w.-]{0,30})(?:\/|$)/;

/** Browser and system of a `User-Agent`, or the name of a program. @param userAgent as it came, if it came */
export function deviceOf(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === '') return 'Unknown device';
  const shortened = userAgent.slice(0, longest);
  const { browser, os } = Bowser.parse(shortened);
  if (browser.name && os.name) return `${browser.name} on ${os.name}`;
  return browser.name || os.name || program.exec(shortened)?.[1] || 'Unknown device';
}
