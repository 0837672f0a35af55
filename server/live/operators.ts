import { operatorNowSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { LiveServer, LiveSocket } from '#server/live.ts';
import { readNow } from '#server/operator/read-now.ts';
import { AppError } from '#shared/platform/errors.ts';

const room = 'operators';

/** How often operators are sent how the installation is, in ms. */
const everyMs = 5_000;

/** The sockets of operators. */
export interface OperatorSockets {
  /** Lets a socket in if its seller is an operator. Others are not told. */
  admit(socket: LiveSocket): void;
  stop(): void;
}

/**
 * Sends operators how the installation is, every few seconds and when the relay says so. Without an operator's socket it
 * reads nothing. Each time, sockets whose seller is no operator any more are put out first.
 */
export async function sendToOperators(
  io: LiveServer,
  app: App,
  context: ServerContext,
): Promise<OperatorSockets> {
  let sending = false;

  const isOperator = (sellerId: string) =>
    app.findOperator(sellerId).then(
      () => true,
      (error) => {
        if (error instanceof AppError) return false;
        throw error;
      },
    );

  async function send(): Promise<void> {
    const sockets = [...(io.sockets.adapter.rooms.get(room) ?? [])].flatMap(
      (id) => io.sockets.sockets.get(id) ?? [],
    );
    if (sending || sockets.length === 0) return;
    sending = true;
    try {
      const sellers = [...new Set(sockets.map(({ data }) => data.caller.sellerId))];
      const allowed = new Map(
        await Promise.all(sellers.map(async (id) => [id, await isOperator(id)] as const)),
      );
      for (const socket of sockets) {
        if (!allowed.get(socket.data.caller.sellerId)) await socket.leave(room);
      }
      io.to(room).emit('operatorNow', operatorNowSchema.parse(await readNow(context)));
    } catch (error) {
      context.log.warn({ err: error }, 'operators were not sent how the installation is');
    } finally {
      sending = false;
    }
  }

  const timer = setInterval(send, everyMs);
  await context.relay.onOperators(() => void send());
  return {
    admit(socket) {
      isOperator(socket.data.caller.sellerId).then(
        (allowed) => (allowed ? socket.join(room) : undefined),
        (error) => context.log.warn({ err: error }, 'it is not known whether a socket is of an operator'),
      );
    },
    stop: () => clearInterval(timer),
  };
}
