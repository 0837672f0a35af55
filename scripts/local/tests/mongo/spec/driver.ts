/** Tests of one file in which the Node driver differs from other languages' drivers. */
interface Difference {
  file: string;
  tests: RegExp;
  why: string;
}

/**
 * Tests whose result depends on the driver, not the server: it never sends what the test is about, or produces the
 * result itself. The list is for mongodb 7.8. Such a test still runs, and counts as passed when it passes.
 */
const DIFFERENCES: Difference[] = [
  {
    file: 'bypassDocumentValidation.json',
    tests: /^(Aggregate|BulkWrite|FindOneAnd|InsertMany).* false$/,
    why: 'the driver leaves out bypassDocumentValidation: false',
  },
  {
    file: 'create-null-ids.json',
    tests: /via (insertOne|insertMany|bulkWrite|clientBulkWrite)$/,
    why: 'the driver puts an ObjectId in the place of an _id null',
  },
  {
    file: 'client-bulkWrite-partialResults.json',
    tests: /^partialResult is unset/,
    why: 'the driver gives a partial result of zeros where nothing was written',
  },
  {
    file: 'observeSensitiveCommands.json',
    tests: /^legacy hello/,
    why: 'the driver sends and names the legacy greeting in its own letters',
  },
];

/** Why the driver fails this test whatever the server does; undefined when it does not. */
export function driverDifference(file: string, test: string): string | undefined {
  return DIFFERENCES.find((difference) => file.endsWith(difference.file) && difference.tests.test(test))?.why;
}
