/** More options of a generation that are refused. */
import { testRefusedOptions } from './generation-options-steps.ts';

testRefusedOptions([
  ['NUL in what to avoid', [['negativePrompt', 'a\0b']], 'negativePrompt'],
  ['a width of 0', [['width', '0']], 'width'],
  ['a width of 1e3', [['width', '1e3']], 'width'],
  ['a width of 0x400', [['width', '0x400']], 'width'],
  ['an empty width', [['width', '']], 'width'],
  ['a width of a word', [['width', 'wide']], 'width'],
  ['a style of an object', [['style', 'constructor']], 'style'],
  ['an empty style', [['style', '']], 'style'],
  ['an empty useSeed', [['useSeed', '']], 'useSeed'],
  ['a seed of -1', [['seedValue', '-1']], 'seedValue'],
  ['a seed of 1.5', [['seedValue', '1.5']], 'seedValue'],
  ['an empty seed', [['seedValue', '']], 'seedValue'],
]);
