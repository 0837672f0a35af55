/** Set-up of unit tests: their pictures, and those of the scripts, are drawn as SVG, which the product cannot open. */
import sharp from 'sharp';
// It blocks SVG, which must come first.
import '#shared/platform/sharp.ts';

sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
