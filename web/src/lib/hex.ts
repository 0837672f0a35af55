/** Bytes as lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A new unique id: 32 hexadecimal digits. Without https, browsers have no `crypto.randomUUID`. */
export function randomId(): string {
  // biome-ignore lint/style/noRestrictedGlobals: this function is there without https as well
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}
