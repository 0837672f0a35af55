import Bowser from 'bowser';

/** Where a request comes from, as it is shown to the seller. */
export interface Origin {
  /** Browser and operating system, such as "Firefox on Windows". */
  device: string;
  /** The client's network address, read behind the trusted proxies. */
  address: string;
}

/** Only the start of a User-Agent is parsed: the patterns are slow on long ones. */
const maxCharacters = 512;

/** The User-Agent of a program, such as `curl/8.5.0`. All browsers start with Mozilla. */
const program = /^(?!Mozilla\b)([A-Za-z][\w.-]{0,30})(?:\/|$)/;

/** Browser and operating system of a `User-Agent` header, or the name of a program. */
export function deviceOf(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === '') return 'Unknown device';
  const shortened = userAgent.slice(0, maxCharacters);
  const { browser, os } = Bowser.parse(shortened);
  if (browser.name && os.name) return `${browser.name} on ${os.name}`;
  return browser.name || os.name || program.exec(shortened)?.[1] || 'Unknown device';
}
