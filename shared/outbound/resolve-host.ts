import { Resolver } from 'node:dns/promises';
import { OutboundError } from './outbound-error.ts';

/** How long a name server may take, in ms, and how often it is asked. */
const [serverMs, tries] = [2_000, 2];

/** Answers that say that there is no such name, or that it has no address. */
const noAddress = ['ENOTFOUND', 'ENODATA'];

/**
 * All addresses of a host, IPv4 first. It asks name servers and not the operating system, whose threads files need as well: a
 * stranger's slow name server would hold them. So `/etc/hosts` and search domains count for nothing, which suits strangers.
 * @param signal ends it
 * @param servers name servers to ask, for tests; those of the system unless given
 * @throws OutboundError not-public when there is none; unreachable when no name server answers
 */
export async function resolveHost(
  host: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<string[]> {
  const resolver = new Resolver({ timeout: serverMs, tries });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const causes = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    const away = causes.find(({ code }: NodeJS.ErrnoException) => !noAddress.includes(code ?? ''));
    throw new OutboundError(away ? 'unreachable' : 'not-public', { cause: away ?? causes[0] });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
