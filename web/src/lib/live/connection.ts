import type { QueryClient } from '@tanstack/react-query';
import { io, type Socket } from 'socket.io-client';
import { type ClientEvents, type GenerationView, paths, type ServerEvents } from '#contract';
import { refreshPending } from '#web/lib/generations.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { endSession, fetchMe } from '#web/lib/session.ts';
import { pendingGenerations } from './cache.ts';
import {
  receiveBatch,
  receiveGeneration,
  receiveNotification,
  receiveRemoval,
  receiveSubscription,
  refetchLiveData,
} from './events.ts';

/** How often pending generations are fetched: events may be lost. */
const pollIntervalMs = 4_000;
/** Delay before reconnecting after the server closed the connection. */
const reconnectDelayMs = 2_000;

export interface LiveConnection {
  /** For `useSyncExternalStore`: whether the socket is connected. */
  isConnected: () => boolean;
  subscribe: (listener: () => void) => () => void;
  close: () => void;
}

/**
 * Keeps the query cache up to date while a seller is signed in: events bring changes; a fetch on every connect, and
 * polling while something is pending, make up for lost events.
 * @param onGeneration called with each generation that an event brings, before it is cached
 */
export function connectLive(
  client: QueryClient,
  onGeneration: (view: GenerationView) => void,
): LiveConnection {
  const socket: Socket<ServerEvents, ClientEvents> = io({
    path: paths.socket,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
  });
  socket.on('generation', (payload) => receiveGeneration(client, payload, onGeneration));
  socket.on('generationRemoved', (payload) => receiveRemoval(client, payload));
  socket.on('batchChanged', () => receiveBatch(client));
  socket.on('subscription', (payload) => receiveSubscription(client, payload));
  socket.on('notification', () => receiveNotification(client));
  socket.on('operatorNow', (view) => client.setQueryData(queryKeys.operatorNow, view));
  socket.on('sessionEnded', () => endSession(client, 'ended'));
  socket.on('connect', () => refetchLiveData(client));
  const stopReconnecting = reconnectWhileSignedIn(client, socket);
  const stopPolling = pollPendingGenerations(client);
  const onVisibilityChange = () => {
    if (!document.hidden) client.invalidateQueries({ queryKey: queryKeys.me });
  };
  document.addEventListener('visibilitychange', onVisibilityChange);

  return {
    isConnected: () => socket.connected,
    subscribe: (listener) => {
      const events = ['connect', 'disconnect', 'connect_error'] as const;
      for (const event of events) socket.on(event, listener);
      return () => {
        for (const event of events) socket.off(event, listener);
      };
    },
    close: () => {
      stopPolling();
      stopReconnecting();
      document.removeEventListener('visibilitychange', onVisibilityChange);
      socket.removeAllListeners();
      socket.close();
    },
  };
}

/**
 * Reconnects when socket.io does not: after the server closed or refused the connection. Ends the session instead if
 * the server no longer knows it.
 * @returns stops reconnecting
 */
function reconnectWhileSignedIn(client: QueryClient, socket: Socket): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const reconnectLater = () => {
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), reconnectDelayMs);
  };
  const checkSession = () =>
    fetchMe().then(
      (me) => (me === null ? endSession(client, 'expired') : reconnectLater()),
      () => reconnectLater(),
    );
  socket.on('disconnect', (reason) => {
    // The session may have ended, or the server is shutting down.
    if (reason === 'io server disconnect') checkSession();
  });
  socket.on('connect_error', () => {
    // An active socket reconnects by itself (the server is unreachable); an inactive one was refused.
    if (!socket.active) checkSession();
  });
  return () => clearTimeout(timer);
}

/** Fetches pending generations while there are any and the window is visible. @returns stops polling */
function pollPendingGenerations(client: QueryClient): () => void {
  let polling = false;
  const timer = setInterval(async () => {
    if (polling || document.hidden || pendingGenerations(client).length === 0) return;
    polling = true;
    try {
      await refreshPending(client);
      if (pendingGenerations(client).length === 0) {
        await client.invalidateQueries({ queryKey: queryKeys.me });
      }
    } catch {
      // Retried on the next tick.
    } finally {
      polling = false;
    }
  }, pollIntervalMs);
  return () => clearInterval(timer);
}
