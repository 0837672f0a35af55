import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Spreads the browser tests over the run: they keep the CPU busy, while most of the others wait for something.
 */
export class SpreadSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const browser = sorted.filter(({ project }) => project.name === 'e2e');
    const others = sorted.filter(({ project }) => project.name !== 'e2e');
    const share = Math.ceil(others.length / Math.max(1, browser.length));
    const spread = browser.flatMap((file, index) => [
      file,
      ...others.slice(index * share, (index + 1) * share),
    ]);
    return browser.length === 0 ? others : spread;
  }
}
