import { testWithSharedSeller } from '#tests/support/test.ts';
import { disposition, type Endless, expectRefused } from './upload-bounds-steps.ts';

const test = testWithSharedSeller({ workers: 0 });

/** Those that upload-bounds.test.ts leaves out. */
const endless: Endless[] = [
  ['preamble', ''],
  ['row of headers of a part', '--b\r\n', Buffer.from('x-more: 1\r\n'.repeat(6_000))],
  ['unknown field', `${disposition('name="x"')}\r\n`],
  ['part without a disposition', '--b\r\ncontent-type: image/png\r\n\r\n'],
  ['row of parts without a disposition', '', Buffer.from('--b\r\nx: y\r\n\r\nz\r\n'.repeat(3_000))],
  ['epilogue of an empty form', '--b--\r\n'],
];

test.for(endless)('an endless %s is refused after about a megabyte', async (form, { stack, seller }) => {
  await expectRefused(stack, seller, form);
});
