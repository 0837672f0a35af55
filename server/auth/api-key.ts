import { BlockList, isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { type ApiScope, v1VersionHeader, v1Versions } from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { countAndTell, ToldLimits } from '#server/http/told-limits.ts';
import {
  type ApiKeyRow,
  findApiKey,
  findApiKeysById,
  recordApiKeyUse,
} from '#shared/data/accounts/api-keys.ts';
import { findActiveProfile, findActiveProfiles } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { ensureTestSeller, sandboxOf, testSellerOf } from '#shared/data/test-seller.ts';
import { AppError } from '#shared/platform/errors.ts';
import { runPeriodically } from '#shared/platform/periodic-task.ts';
import { hashKey, isKey, keyIn } from './key-format.ts';

/** Pause between two checks whether the keys of open replies have ended, in ms: a reply is cut off at the second one. */
const keyCheckMs = 2_000;

/** How often the use of a key is recorded, in ms. */
const recordMs = 60_000;

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Hook for routes of programs: takes an API key with a scope, from a network where it may be used, and counts the request.
     * Key and account are read with each request, so that a key ends at once, on all servers.
     * @throws AppError API_KEY_INVALID, API_KEY_NETWORK, API_KEY_SCOPE or RATE_LIMITED; VALIDATION for a version that is not there
     */
    requireKey(scope: ApiScope): Hook;
    /** Reads the key of a request once more, after something that took long. @throws AppError API_KEY_INVALID */
    confirmKey(request: FastifyRequest): Promise<void>;
  }
  interface FastifyRequest {
    /** Aborted when the key of a request has ended; null without one. What is still sent some seconds later is cut off. */
    keyEnded: AbortSignal | null;
    /** What the reply to a program says of limits; null for all others. */
    toldLimits: ToldLimits | null;
  }
}

const scopes = new WeakMap<object, ApiScope>();

/** The scope that a hook of a route asks for; undefined for all other hooks. */
export const scopeOf = (hook: unknown): ApiScope | undefined =>
  typeof hook === 'function' ? scopes.get(hook) : undefined;

/** Authentication of programs (docs/decisions/0134-a-caller-has-a-principal.md). Register it before the routes. */
export const apiKeys = plugin<{ context: ServerContext }>(async (app, { context }) => {
  const { db, log } = context;
  const { requests, seconds } = requestLimits.seller.api;
  const count = createRateLimit(db, { name: 'seller_api', points: requests, seconds, remembered: true });
  const countInvalid = app.limitNetwork('api-key');
  const countTest = app.limitNetwork('test-image');

  async function keyOf(request: FastifyRequest): Promise<ApiKeyRow> {
    const key = keyIn(request.headers.authorization);
    if (key === '') {
      throw new AppError('API_KEY_INVALID', {
        message: 'Please send an API key: Authorization: Bearer pk_live_…',
      });
    }
    const row = isKey(key) ? await findUsable(hashKey(key)) : null;
    if (row) return row;
    await countInvalid(request);
    throw new AppError('API_KEY_INVALID');
  }

  /** @returns the key with this hash, unless it has ended, or its account may not be used */
  async function findUsable(hash: string): Promise<ApiKeyRow | null> {
    const row = await findApiKey(db, hash);
    return row && isUsable(row, await findActiveProfile(db, row.user_id)) ? row : null;
  }

  /** Replies to requests with a key that are not over. */
  const open = new Set<{ keyId: string; reply: FastifyReply; ended: AbortController }>();
  // One after the other: two that overlap, while the database is slow, would leave a reply no time to end whole.
  const check = runPeriodically(keyCheckMs, cutOff, (error) =>
    log.warn({ err: error }, 'the keys of open replies were not checked'),
  );
  app.addHook('onClose', () => check.stop());

  /** Ends replies whose key has ended: a file that takes minutes, or a stream of events. */
  async function cutOff(): Promise<void> {
    if (open.size === 0) return;
    const usable = await usableKeys(new Set([...open].map(({ keyId }) => keyId)));
    for (const { keyId, reply, ended } of open) {
      if (usable.has(keyId)) continue;
      // What can end whole has until the next check. Before it has begun, a reply says itself that the key has ended.
      if (!ended.signal.aborted) ended.abort();
      else if (reply.raw.headersSent) reply.raw.destroy();
    }
  }

  /** @returns those of some keys, by their ids, that still work */
  async function usableKeys(ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const rows = await findApiKeysById(db, [...ids]);
    const profiles = await findActiveProfiles(
      db,
      rows.map((row) => row.user_id),
    );
    const usable = rows.filter((row) => isUsable(row, profiles.get(row.user_id)));
    return new Set(usable.map(({ _id }) => _id));
  }

  app.decorateRequest('toldLimits', null);
  app.decorateRequest('keyEnded', null);
  app.decorate('requireKey', (scope: ApiScope) => {
    const hook: Hook = async (request, reply) => {
      request.toldLimits = new ToldLimits(reply);
      const row = await keyOf(request);
      reply.header(v1VersionHeader, versionOf(request, row));
      if (!isFrom(row.networks, request.ip)) {
        await countInvalid(request);
        throw new AppError('API_KEY_NETWORK');
      }
      const sellerId = row.test ? testSellerOf(row.user_id) : row.user_id;
      await countAndTell(request, { name: 'api', requests, seconds }, () => count(sellerId));
      if (!row.scopes.includes(scope)) {
        throw new AppError('API_KEY_SCOPE', { message: `This API key has no scope ${scope}.` });
      }
      if (Date.now() - (row.last_used_at?.getTime() ?? 0) > recordMs) await recordApiKeyUse(db, row._id);
      if (row.test) {
        if (scope === 'generations:write') await countTest(request);
        await ensureTestSeller(sandboxOf(db), sellerId);
      }
      request.caller = {
        sellerId,
        principal: { kind: 'key', id: row._id, name: row.name, scopes: row.scopes },
      };
      const entry = { keyId: row._id, reply, ended: new AbortController() };
      request.keyEnded = entry.ended.signal;
      open.add(entry);
      reply.raw.once('close', () => open.delete(entry));
    };
    scopes.set(hook, scope);
    return hook;
  });
  app.decorate('confirmKey', async (request) => void (await keyOf(request)));
});

/** @param profile of its account, unless that is being deleted */
function isUsable({ expires_at: ends }: ApiKeyRow, profile: ProfileRow | null | undefined): boolean {
  const isOver = ends !== null && ends.getTime() <= Date.now();
  return !isOver && profile?.email_verified === true && !profile.disabled_at;
}

/** The version that a request names, or the one of its key. @throws AppError VALIDATION */
function versionOf({ headers }: FastifyRequest, { version }: ApiKeyRow): string {
  const named = headers[v1VersionHeader];
  if (named === undefined) return version;
  if (v1Versions.some((each) => each === named)) return named as string;
  throw new AppError('VALIDATION', {
    message: `This version of the API does not exist. There is: ${v1Versions.join(', ')}.`,
    field: 'Packshot-Version',
  });
}

/**
 * Whether an address is in one of the networks.
 * @param networks IP addresses, and networks in CIDR notation; empty for all
 * @param address as Node reports it: an IPv4 address may be mapped into IPv6
 */
export function isFrom(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const allowed = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    const family = isIPv6(base) ? 'ipv6' : 'ipv4';
    if (bits === undefined) allowed.addAddress(base, family);
    else allowed.addSubnet(base, Number(bits), family);
  }
  // Link-local addresses name the interface they came by.
  const plain = address.replace(/%.*$/, '');
  return allowed.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
