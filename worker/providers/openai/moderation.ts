/** What the provider says about a request that its moderation refused. */
import type { Moderation } from '../provider.ts';

/** A category's name, such as `sexual` or `self-harm/intent`. */
const categoryName = /^[a-z][a-z/_-]{0,39}$/i;
const categoriesMost = 10;

/**
 * Reads the part of an error that says which side was refused, and why. It is not documented: `moderation_details` and the
 * list in the message are what others have reported (docs/provider.md).
 * @param error the error as the provider sent it
 */
export function moderationOf(error: unknown): Moderation {
  const { moderation_details: details, message } = Object(error) as {
    moderation_details?: unknown;
    message?: unknown;
  };
  const { moderation_stage: stage, categories } = Object(details) as {
    moderation_stage?: unknown;
    categories?: unknown;
  };
  const named = namesOf(categories);
  return {
    stage: stage === 'input' || stage === 'output' ? stage : null,
    categories: named.length > 0 ? named : namesOf(listInMessage(message)),
  };
}

/** @param categories a list of names, or an object with those that apply as `true` */
function namesOf(categories: unknown): string[] {
  const listed: unknown[] = Array.isArray(categories)
    ? categories
    : Object.entries(Object(categories) as object).flatMap(([name, applies]) =>
        applies === true ? [name] : [],
      );
  const names = listed.filter((name): name is string => typeof name === 'string' && categoryName.test(name));
  return [...new Set(names)].slice(0, categoriesMost);
}

const listBegins = 'safety_violations=[';

/** The names in a message such as `Your request was rejected by the safety system. … safety_violations=[sexual].` */
function listInMessage(message: unknown): string[] {
  if (typeof message !== 'string') return [];
  const begins = message.indexOf(listBegins);
  const ends = message.indexOf(']', begins);
  if (begins === -1 || ends === -1) return [];
  return message
    .slice(begins + listBegins.length, ends)
    .split(',')
    .map((name) => name.trim());
}
