/** The SMTP side: takes every mail, unless it is told to behave badly. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Behaviour, Behaviours } from './behaviour.ts';
import { readMessage } from './mail.ts';
import type { MailStore } from './store.ts';

/** The largest message that is taken, in bytes. */
export const mostMessageBytes = 10 * 1024 * 1024;

/** A listening SMTP server. */
export interface SmtpListener {
  port: number;
  /** Ends all connections and gives the port free. */
  close(): Promise<void>;
}

/** An answer of SMTP other than "done". */
class SmtpError extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/**
 * Starts to listen. A mail is answered with 250 when the store has it on disk.
 * @param port 0 picks a free one
 * @throws the listen error, such as EADDRINUSE
 */
export async function listenForMail(
  port: number,
  host: string,
  store: MailStore,
  behaviours: Behaviours,
): Promise<SmtpListener> {
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  /** What the mail under way in a session meets, by the session's id. */
  const underWay = new Map<string, Behaviour>();

  const server = new SMTPServer({
    size: mostMessageBytes,
    // Signing in works with any name and password, and is not needed.
    authOptional: true,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN', 'CRAM-MD5', 'XOAUTH2'],
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username ?? 'anybody' }),
    // It would present a certificate that no client trusts.
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onMailFrom(_address, session, callback) {
      underWay.set(session.id, behaviours.next());
      callback();
    },
    onRcptTo(_address, session, callback) {
      const refused = underWay.get(session.id)?.behaviour === 'refuse';
      callback(refused ? new SmtpError(550, '5.1.1 No such mailbox here (told to refuse)') : null);
    },
    onData(stream, session, callback) {
      const behaviour = underWay.get(session.id) ?? { behaviour: 'ok' };
      take(stream, session, behaviour).then((id) => callback(null, `OK: kept as mail ${id}`), callback);
    },
    onClose(session) {
      underWay.delete(session.id);
    },
  });

  async function take(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    behaviour: Behaviour,
  ): Promise<number> {
    // The recipients of this mail: the session's envelope is replaced when the next one begins.
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const source = await buffer(stream);
    if (stream.sizeExceeded) throw new SmtpError(552, '5.3.4 The message is larger than 10 MB');
    if (behaviour.behaviour === 'busy') throw new SmtpError(451, '4.3.2 Try again later (told to be busy)');
    if (behaviour.behaviour === 'slow')
      await delay(behaviour.ms, undefined, { signal: closing.signal, ref: false });
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
  // From here on only clients make errors, such as ending their connection; theirs is not this server's end.
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
