import type { QueryClient } from '@tanstack/react-query';
import { io, type Socket } from 'socket.io-client';
import { type ClientEvents, type GenerationView, paths, type ServerEvents } from '#contract';
import { keys, mergeGeneration, pendingGenerations, takeSubscription } from './generations/cache.ts';
import { refreshPending } from './generations/queries.ts';
import { endSession, fetchMe } from './session.ts';

/** How often what is pending is asked for, in ms: an event is a hint and may be lost. */
const pollInterval = 4_000;
/** Wait before a connection that the server closed is tried again, in ms. */
const reconnectDelay = 2_000;

export interface Live {
  /** For `useSyncExternalStore`: whether the socket is connected. */
  isConnected: () => boolean;
  subscribe: (listener: () => void) => () => void;
  close: () => void;
}

/**
 * Keeps the query cache up to date while a seller is signed in: events bring changes, a fetch on every connect and
 * every few seconds while something is pending brings what events did not.
 * @param onGeneration gets each view that an event brings, before the cache takes it
 */
export function connectLive(client: QueryClient, onGeneration: (view: GenerationView) => void): Live {
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  let retry: ReturnType<typeof setTimeout> | undefined;
  const socket: Socket<ServerEvents, ClientEvents> = io({
    path: paths.socket,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
  });

  const reconnectLater = () => {
    clearTimeout(retry);
    retry = setTimeout(() => socket.connect(), reconnectDelay);
  };
  const checkSession = () =>
    fetchMe().then(
      (me) => (me === null ? endSession(client, 'expired') : reconnectLater()),
      () => reconnectLater(),
    );

  socket.on('generation', (view) => {
    onGeneration(view);
    mergeGeneration(client, view);
  });
  socket.on('subscription', (view) => takeSubscription(client, view));
  socket.on('sessionEnded', () => endSession(client, 'ended'));
  socket.on('connect', () => {
    notify();
    client.invalidateQueries({ queryKey: keys.list });
    client.invalidateQueries({ queryKey: keys.me });
    for (const { id } of pendingGenerations(client)) {
      client.invalidateQueries({ queryKey: keys.generation(id) });
    }
  });
  socket.on('disconnect', (reason) => {
    notify();
    // After the server's own goodbye socket.io does not come back by itself: the session may have ended, or the
    // server is going down.
    if (reason === 'io server disconnect') checkSession();
  });
  socket.on('connect_error', () => {
    notify();
    // An active socket tries again by itself (the server is away); an inactive one was refused.
    if (!socket.active) checkSession();
  });

  let asking = false;
  const poll = setInterval(async () => {
    if (asking || document.hidden || pendingGenerations(client).length === 0) return;
    asking = true;
    try {
      await refreshPending(client);
      if (pendingGenerations(client).length === 0) await client.invalidateQueries({ queryKey: keys.me });
    } catch {
      // The next round asks again.
    } finally {
      asking = false;
    }
  }, pollInterval);
  const becameVisible = () => {
    if (!document.hidden) client.invalidateQueries({ queryKey: keys.me });
  };
  document.addEventListener('visibilitychange', becameVisible);

  return {
    isConnected: () => socket.connected,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      clearInterval(poll);
      clearTimeout(retry);
      document.removeEventListener('visibilitychange', becameVisible);
      socket.removeAllListeners();
      socket.close();
    },
  };
}
