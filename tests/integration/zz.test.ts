import { inject, test } from 'vitest';

test('x', () => {
  console.log(inject('queueUrl'), inject('mongodbUrl'));
});
