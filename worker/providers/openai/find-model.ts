/** Asks the provider whether a model exists (docs/provider.md). */
import type { Config } from '#shared/platform/config.ts';
import { kindOf } from './error-kinds.ts';
import { readShort } from './short-body.ts';

/** How long both requests may take together, in ms. */
const answerMs = 20_000;

type Account = Pick<Config['image'], 'apiKey' | 'baseUrl' | 'model'>;

/**
 * @returns what is wrong with the model or the account, with the image models that there are; null if nothing is, or the
 * server does not have this route
 * @throws when it does not answer in time, or not as expected
 */
export async function findModelProblem(account: Account, closing: AbortSignal): Promise<string | null> {
  const { apiKey, baseUrl = 'https://api.openai.com/v1', model } = account;
  const signal = AbortSignal.any([closing, AbortSignal.timeout(answerMs)]);
  const ask = async (path: string) => {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models${path}`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal,
    });
    return { status: response.status, ok: response.ok, text: (await readShort(response)) ?? '' };
  };
  const { status, ok, text } = await ask(`/${encodeURIComponent(model)}`);
  if (ok) return null;
  const { code, type, param, message } = errorOf(text);
  // Without a code of OpenAI's, a server that answers 404 lacks the route.
  if (status === 404 && code !== 'model_not_found') return null;
  if (kindOf({ status, code, type, param }) !== 'account') return null;
  const said = `${status}${code ? ` ${code}` : ''}${message ? `: ${message}` : ''}`;
  if (code !== 'model_not_found') return `the image provider refuses our account (${said})`.slice(0, 500);
  const others = await ask('').then(imageModelsOf, () => []);
  const there = others.length > 0 ? `; image models that exist: ${others.join(', ')}` : '';
  return `the image provider has no model ${model} for our account (${said})${there}`.slice(0, 1_000);
}

interface SentError {
  code?: string | null;
  type?: string | null;
  param?: string | null;
  message?: string;
}

function errorOf(text: string): SentError {
  const { error } = Object(parsed(text)) as { error?: unknown };
  return Object(error) as SentError;
}

/** The names of a list of models that say that they make images. */
function imageModelsOf({ ok, text }: { ok: boolean; text: string }): string[] {
  const { data } = Object(ok ? parsed(text) : null) as { data?: unknown };
  const ids = (Array.isArray(data) ? data : []).map(
    (model: unknown) => (Object(model) as { id?: unknown }).id,
  );
  return ids.filter((id): id is string => typeof id === 'string' && id.includes('image')).toSorted();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
