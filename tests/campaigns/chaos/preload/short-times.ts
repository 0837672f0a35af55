/** Loaded before servers and workers of a chaos stack. */
import { replaceSources } from '../replace-source.ts';
import { shortTimes } from '../short-times.ts';

replaceSources(shortTimes);
