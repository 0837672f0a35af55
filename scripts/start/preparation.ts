/** Prepares what a stack needs in a process that ends afterwards: the libraries of MongoDB and Stripe take 70 MB. */
import { startJobProcess } from '#shared/platform/job-process.ts';
import type { SellerDetails } from './demo-sellers.ts';
import { StackError } from './process.ts';

/** What is prepared by name: what it is given, and what it answers, or the message of an error. */
export interface PreparationJobs {
  /** Products in the local Stripe and its webhook; answers the secret of its events. */
  stripe: Job<{ url: string; port: number; dataFolder: string }, string>;
  /** Sellers that a developer signs in as; answers for each whether it is new. */
  sellers: Job<{ mongodbUrl: string; stripeUrl: string; sellers: readonly SellerDetails[] }, boolean[]>;
  /** The passwords of the demo sellers are replaced; answers how many there are. */
  disabledSellers: Job<{ mongodbUrl: string }, number>;
}

interface Job<Given, Result> {
  given: Given;
  outcome: { result: Result } | { error: string };
}

type ResultOf<Name extends keyof PreparationJobs> = Extract<
  PreparationJobs[Name]['outcome'],
  { result: unknown }
>['result'];

/** Runs preparations. */
export interface Preparation {
  /** @throws StackError when it fails */
  run<Name extends keyof PreparationJobs>(
    name: Name,
    given: PreparationJobs[Name]['given'],
  ): Promise<ResultOf<Name>>;
  /** Ends the process, and what it does. */
  end(): Promise<void>;
}

/** How long one of them may take, in ms: as long as a process of the stack may take to become ready. */
const longestMs = 60_000;

/** Starts the process, which loads its libraries while the services start. */
export function startPreparation(): Preparation {
  const jobs = startJobProcess<PreparationJobs>(new URL('prepare.ts', import.meta.url));
  return {
    async run(name, given) {
      const outcome = await jobs
        .run(name, given, longestMs)
        .catch((cause: Error) => ({ error: cause.message }));
      if ('error' in outcome) throw new StackError(`the start failed (${name}): ${outcome.error}`);
      return outcome.result as ResultOf<typeof name>;
    },
    end: jobs.kill,
  };
}
