import type { V1Created } from '#contract';
import type { Submitted } from '#shared/generations/submit.ts';
import { presentV1 } from '#shared/views/v1.ts';

/** What a request made, or the first one under its key. */
export const presentCreated = ({ accepted }: Submitted): V1Created => ({
  generations: accepted.map(({ view }) => presentV1(view)),
});
