/** The SMTP server: accepts every mail unless a failure is simulated. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { domainToASCII } from 'node:url';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Behaviours, MailBehaviour } from './api-routes.ts';
import type { Certificate } from './certificate.ts';
import { readMessage } from './mail.ts';
import type { MailStore } from './store.ts';

/** The size limit of a message, in bytes. */
const maxMessageBytes = 10 * 1024 * 1024;

/** An address with its domain in ASCII, as a client sends it: the library shows domains in Unicode. */
function asSent(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`;
}

/** A listening SMTP server. */
export interface SmtpListener {
  port: number;
  /** Closes all connections and releases the port. */
  close(): Promise<void>;
}

/** How a server is encrypted, and who may send. */
export interface SmtpSecurity {
  /** `starttls`: offered, and required before authentication. `implicit`: from the first byte. */
  tls?: 'starttls' | 'implicit' | undefined;
  /** Needed for TLS. */
  certificate?: Certificate | undefined;
  /** Who may send; with it, mails of others are refused. */
  account?: { user: string; password: string } | undefined;
}

/** An SMTP error reply. */
class SmtpError extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/**
 * Starts listening. A mail is acknowledged with 250 once the store has written it to disk.
 * @param port 0 for any free port
 * @param security how it is encrypted and who may send; by default neither is asked for
 * @throws the listen error, such as EADDRINUSE
 */
export async function listenForMail(
  port: number,
  host: string,
  store: MailStore,
  behaviours: Behaviours,
  { tls, certificate, account }: SmtpSecurity = {},
): Promise<SmtpListener> {
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  /** The behaviour for the mail in progress, by session id. */
  const activeBehaviours = new Map<string, MailBehaviour>();

  const server = new SMTPServer({
    size: maxMessageBytes,
    // Without an account, authentication is optional and accepts any name and password.
    authOptional: account === undefined,
    // As mail providers do: a name and a password that came in clear are refused with 538.
    allowInsecureAuth: false,
    authMethods: ['PLAIN', 'LOGIN'],
    onAuth({ username, password }, session, callback) {
      // The library takes them where there is no STARTTLS.
      if (!session.secure) return callback(new SmtpError(538, '5.7.11 Encryption required for a password'));
      if (account && (username !== account.user || password !== account.password)) {
        return callback(new SmtpError(535, '5.7.8 Authentication failed'));
      }
      callback(null, { user: username ?? 'anybody' });
    },
    secure: tls === 'implicit',
    ...certificate,
    // Without a certificate the library would use one that no client trusts.
    disabledCommands: tls === 'starttls' ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onMailFrom(_address, session, callback) {
      activeBehaviours.set(session.id, behaviours.next());
      callback();
    },
    onRcptTo({ address }, session, callback) {
      const active = activeBehaviours.get(session.id);
      if (active?.behaviour !== 'refuse' || (active.to ?? address) !== address) return callback(null);
      const { code = 550, message = '5.1.1 No such mailbox here (simulated)' } = active;
      callback(new SmtpError(code, message));
    },
    onData(stream, session, callback) {
      const behaviour = activeBehaviours.get(session.id)!;
      take(stream, session, behaviour).then((id) => callback(null, `OK: kept as mail ${id}`), callback);
    },
    onClose(session) {
      activeBehaviours.delete(session.id);
    },
  });

  async function take(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    behaviour: MailBehaviour,
  ): Promise<number> {
    // Copied, because the next mail replaces the session's envelope.
    const recipients = session.envelope.rcptTo.map(({ address }) => asSent(address));
    const source = await buffer(stream);
    if (stream.sizeExceeded) throw new SmtpError(552, '5.3.4 The message is larger than 10 MB');
    if (behaviour.behaviour === 'busy') throw new SmtpError(451, '4.3.2 Try again later (simulated)');
    if (behaviour.behaviour === 'slow')
      await delay(behaviour.ms, undefined, { signal: closing.signal, ref: false });
    if (behaviour.behaviour === 'hold') await behaviour.replaced;
    if (behaviour.behaviour === 'drop') {
      for (const socket of sockets) if (socket.remotePort === session.remotePort) socket.destroy();
      throw new SmtpError(421, 'The connection is gone');
    }
    return store.add(recipients, await readMessage(source), source).id;
  }

  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const listening = once(server.server, 'listening');
  server.listen(port, host);
  await listening;
  // From here on only clients cause errors, for example by disconnecting; they must not stop the server.
  server.on('error', () => {});

  return {
    port: (server.server.address() as AddressInfo).port,
    async close() {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
