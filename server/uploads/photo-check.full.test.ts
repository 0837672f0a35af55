/** Warnings of a dark product, of a smooth one on a plain background, and of one with a label. */
import { testWarningsOf } from '#tests/support/photo-warnings.ts';

for (const name of ['headphones-1.jpg', 'vase-1.jpg', 'tea-tin-1.jpg']) testWarningsOf(name);
