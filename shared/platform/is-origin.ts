/** Whether a text is an http or https URL with a host, an optional port and nothing else. */
export function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, search, hash, username, password } = new URL(text);
  return hostname !== '' && `${pathname}${search}${hash}${username}${password}` === '/';
}
