/** The encodings in which pages are sent, the smallest first. */
const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The smallest encoding that a client accepts.
 * @param header the request's `accept-encoding`
 */
export function chooseEncoding(header: string | undefined): Encoding {
  const accepted = new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.toLowerCase().split(';');
      const quality = parameters
        .map((parameter) => /^\s*q\s*=\s*([\d.]+)/.exec(parameter)?.[1])
        .find(Boolean);
      return [name.trim(), quality === undefined || Number(quality) > 0] as const;
    }),
  );
  return encodings.find((encoding) => accepted.get(encoding) ?? accepted.get('*')) ?? 'identity';
}
