/** Faults of connections: between a program and a service, between sellers and a server, and from Stripe to a server. */

import { type HopName, programNames, serverNames, workerNames } from '#tests/campaigns/support/hops.ts';
import type { Random } from '#tests/support/random.ts';
import type { TcpProxy } from '#tests/support/tcp-proxy.ts';
import type { Fault } from '../fault.ts';

type Begin = (proxy: TcpProxy, random: Random) => void;

export const cut: Begin = (proxy) => proxy.cut();
export const refuse: Begin = (proxy) => proxy.refuse();
export const reset: Begin = (proxy) => proxy.reset();
export const slow: Begin = (proxy, random) => proxy.slow(random.between(20, 200));
export const silent: Begin = (proxy) => proxy.blackHole('both');
/** What is sent arrives, and the answer does not. */
export const answersLost: Begin = (proxy) => proxy.blackHole('to-client');

/** A connection behaves differently. @param hops one of them is drawn */
export const between = (name: string, hop: string, hops: readonly HopName[], begin: Begin): Fault => ({
  name,
  hop,
  async begin(stack, random) {
    const proxy = stack.hops[random.pick(hops)]!;
    begin(proxy, random);
    return async () => proxy.restore();
  },
});

const mongo = ['server, worker → MongoDB', programNames.map((name) => `${name}→mongo` as const)] as const;
const queue = ['server, worker → queue', programNames.map((name) => `${name}→queue` as const)] as const;
const provider = ['worker → provider', workerNames.map((name) => `${name}→images` as const)] as const;
const stripe = ['server, worker → Stripe', programNames.map((name) => `${name}→stripe` as const)] as const;
const mail = ['worker → mail service', workerNames.map((name) => `${name}→mail` as const)] as const;
const sellers = ['seller → server', serverNames.map((name) => `sellers→${name}` as const)] as const;
const webhooks = ['Stripe → server', ['stripe→server']] as const;

export const connectionFaults: readonly Fault[] = [
  between('cut-mongo', ...mongo, cut),
  between('reset-mongo', ...mongo, reset),
  between('slow-mongo', ...mongo, slow),
  between('silent-mongo', ...mongo, silent),
  between('mongo-answers-lost', ...mongo, answersLost),
  between('cut-queue', ...queue, cut),
  between('slow-queue', ...queue, slow),
  between('silent-queue', ...queue, silent),
  between('queue-answers-lost', ...queue, answersLost),
  between('refuse-provider', ...provider, refuse),
  between('reset-provider', ...provider, reset),
  between('slow-provider', ...provider, slow),
  between('provider-answers-lost', ...provider, answersLost),
  between('cut-stripe', ...stripe, cut),
  between('stripe-answers-lost', ...stripe, answersLost),
  between('cut-mail', ...mail, cut),
  between('cut-sellers', ...sellers, cut),
  between('slow-sellers', ...sellers, slow),
  between('seller-answers-lost', ...sellers, answersLost),
  between('cut-webhooks', ...webhooks, cut),
  between('webhook-answers-lost', ...webhooks, answersLost),
];
