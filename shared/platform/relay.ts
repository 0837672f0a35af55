import { setTimeout as wait } from 'node:timers/promises';
import { Relay } from 'bullmq';
import {
  type GenerationView,
  hasEnded,
  type NotificationView,
  type RemovedGeneration,
  type SubscriptionView,
} from '#contract';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { logConnectionErrors } from './log-connection-errors.ts';
import { queueConnection, releasedOnClose } from './queue-connection.ts';
import { createRelayBackend } from './relay-backend.ts';

/** An event about a seller. Events may be lost: the state is in MongoDB. */
export interface SellerEvent {
  generation?: GenerationView;
  generationRemoved?: RemovedGeneration;
  batchChanged?: true;
  subscription?: SubscriptionView;
  notification?: NotificationView;
  /** There is another event for programs (shared/webhooks/tell.ts). */
  told?: true;
}

/** Publishes events to the servers and workers that subscribe to them. At-most-once. */
export interface EventRelay {
  ready(): Promise<void>;
  /** Publishes an event about a seller. Never throws: an event that cannot be published is logged and lost. */
  publish(sellerId: string, event: SellerEvent): void;
  /** @returns a function that unsubscribes */
  subscribe(sellerId: string, listener: (event: SellerEvent) => void): Promise<() => Promise<void>>;
  /** Tells all servers that a session has ended. */
  publishSessionEnd(sessionId: string): void;
  onSessionEnd(listener: (sessionId: string) => void): Promise<void>;
  /** Tells the workers that a generation was cancelled. */
  publishCancel(generationId: string): void;
  onCancel(listener: (generationId: string) => void): Promise<void>;
  /** Tells the workers that there is a mail in the outbox. */
  publishMail(): void;
  onMail(listener: () => void): Promise<void>;
  /** Tells the workers that an endpoint has something to be sent. @param key of what: one job is added for it */
  publishWebhook(endpointId: string, key: string): void;
  onWebhook(listener: (endpointId: string, key: string) => void): Promise<void>;
  /** Tells the servers that operators should see something now. */
  publishOperators(): void;
  onOperators(listener: () => void): Promise<void>;
  close(): Promise<void>;
}

/** Events that may be in flight at a time; more are dropped. */
const maxInFlight = 1_000;

/**
 * How long an event that others follow may wait for them, in ms: they are published together, and each server reads them together.
 * Nobody sees such a short delay of a preview. What ends an image, and all else, is published at once, with what waits.
 */
const gatherMs = 100;

/** Whether others follow: it is about an image that has not ended. */
const isFollowed = ({ generation }: SellerEvent) => generation !== undefined && !hasEnded(generation.state);

/** How long events in flight may take when the relay closes, in ms. */
const lastEventsMs = 2_000;

const sellerTopic = (sellerId: string) => `seller.${sellerId}.generation`;
const cancelTopic = 'worker.cancel';
const mailTopic = 'worker.mail';
const webhookTopic = 'worker.webhook';
const operatorsTopic = 'server.operators';
const sessionEndTopic = 'server.session-end';

function openBullRelay(
  { queueUrl, queueName: namespace }: Pick<Config, 'queueUrl' | 'queueName'>,
  name: string,
) {
  const store = queueConnection(queueUrl);
  if (store.kind === 'postgres') {
    return new Relay({ namespace, name, connection: store.connection, backend: createRelayBackend });
  }
  const opened = store.open({ offline: true });
  const { connection } = opened;
  return releasedOnClose(new Relay({ namespace, name, prefix: store.prefix, connection }), opened);
}

/** Opens BullMQ's relay on the queue's store. */
export function openRelay(
  config: Pick<Config, 'queueUrl' | 'queueName'>,
  name: 'server' | 'worker',
  log: Log,
): EventRelay {
  const relay = openBullRelay(config, name);
  logConnectionErrors(relay, 'relay', log);
  const publishing = new Set<Promise<unknown>>();
  let waiting: { topic: string; data: unknown }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const publishWaiting = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const { topic, data } of waiting) {
      const sent = relay
        .publish(topic, data)
        .catch((error) => log.warn({ err: error, topic }, 'an event was not published'))
        .finally(() => publishing.delete(sent));
      publishing.add(sent);
    }
    waiting = [];
  };
  const publish = (topic: string, data: unknown, isUrgent = true) => {
    // They accumulate while the store cannot be reached.
    if (publishing.size + waiting.length >= maxInFlight) return;
    waiting.push({ topic, data });
    if (isUrgent) publishWaiting();
    else timer ??= setTimeout(publishWaiting, gatherMs);
  };
  return {
    ready: () => relay.waitUntilReady(),
    publish: (sellerId, event) => publish(sellerTopic(sellerId), event, !isFollowed(event)),
    async subscribe(sellerId, listener) {
      const subscription = await relay.subscribe<SellerEvent>(sellerTopic(sellerId), (message) =>
        listener(message.data),
      );
      return () => subscription.unsubscribe();
    },
    publishSessionEnd: (sessionId) => publish(sessionEndTopic, { sessionId }),
    async onSessionEnd(listener) {
      await relay.subscribe<{ sessionId: string }>(sessionEndTopic, (message) =>
        listener(message.data.sessionId),
      );
    },
    publishCancel: (generationId) => publish(cancelTopic, { generationId }),
    async onCancel(listener) {
      await relay.subscribe<{ generationId: string }>(cancelTopic, (message) =>
        listener(message.data.generationId),
      );
    },
    publishMail: () => publish(mailTopic, {}),
    async onMail(listener) {
      await relay.subscribe(mailTopic, () => listener());
    },
    publishWebhook: (endpointId, key) => publish(webhookTopic, { endpointId, key }),
    async onWebhook(listener) {
      await relay.subscribe<{ endpointId: string; key: string }>(webhookTopic, ({ data }) =>
        listener(data.endpointId, data.key),
      );
    },
    publishOperators: () => publish(operatorsTopic, {}),
    async onOperators(listener) {
      await relay.subscribe(operatorsTopic, () => listener());
    },
    async close() {
      publishWaiting();
      await Promise.race([Promise.all(publishing), wait(lastEventsMs, undefined, { ref: false })]);
      await relay.close();
    },
  };
}
