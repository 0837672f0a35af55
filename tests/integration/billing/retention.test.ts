/** What is removed because it is old: rows of logs, and images of sellers whose plan ended (docs/decisions/0065-retention.md). */
import { testImages, testRows } from './retention-steps.ts';

testRows([{ kind: 'dies-before', at: 2 }]);
testImages([{ kind: 'dies-before', at: 6 }]);
