import { expect, test } from 'vitest';
import { limits } from '#contract';
import { applicationFormSchema, cvProblem } from './application-form-schema.ts';

test.for([
  ['cv.pdf', 1, null],
  ['My CV.DOCX', limits.cvBytes, null],
  ['cv.odt', 1, null],
  ['cv.doc', 1, null],
  ['cv.exe', 1, 'Please upload your CV as PDF, DOCX, ODT or DOC.'],
  ['cv.pdf.html', 1, 'Please upload your CV as PDF, DOCX, ODT or DOC.'],
  ['pdf', 1, 'Please upload your CV as PDF, DOCX, ODT or DOC.'],
  ['cv.pdf', 0, 'The file with your CV is empty. Please choose another one.'],
  ['cv.pdf', limits.cvBytes + 1, 'Your CV is larger than 5 MB. Please upload a smaller file.'],
] as const)('%s of %i bytes: %s', ([name, size, problem]) => {
  expect(cvProblem({ name, size })).toBe(problem);
});

test('an application needs name, address and CV, and no message', () => {
  const empty = applicationFormSchema.safeParse({ name: '', email: '', message: '', cv: null });
  expect(empty.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['name', 'Please enter your name'],
    ['email', 'Please enter a valid email address'],
    ['cv', 'Please attach your CV'],
  ]);
  const file = new File(['%PDF'], 'cv.pdf');
  const complete = { name: 'Ada', email: 'ada@example.com', message: '', cv: file };
  expect(applicationFormSchema.safeParse(complete).success).toBe(true);
});
