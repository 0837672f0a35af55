import type { GenerationView } from './generations.ts';
import type { RemovedGeneration } from './library.ts';
import type { NotificationView } from './notifications.ts';
import type { OperatorNow } from './operator-now.ts';
import type { SubscriptionView } from './plans.ts';

/**
 * What the server sends over the socket (path `/socket.io`, the session's cookie). An event is a hint: a client
 * fetches on connect and on reconnect, and ignores a view whose `revision` is smaller than the one it has.
 */
export interface ServerEvents {
  generation: (view: GenerationView) => void;
  /** A generation was deleted. A view with a larger revision restores it. */
  generationRemoved: (removed: RemovedGeneration) => void;
  /** A batch was started, paused, ended or deleted, or an image of it was: it has to be fetched. */
  batchChanged: () => void;
  subscription: (view: SubscriptionView) => void;
  notification: (view: NotificationView) => void;
  /** Every few seconds, only for operators. */
  operatorNow: (view: OperatorNow) => void;
  /** The session was signed out, here or elsewhere; the socket closes next. */
  sessionEnded: () => void;
}

/** A browser sends nothing: what it wants to change goes over HTTP. */
export type ClientEvents = Record<string, never>;
