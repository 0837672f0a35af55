import {
  type ExportCheck,
  type ExportPresetId,
  type ExportRule,
  exportFormatNames,
  exportPreset,
} from '#contract';
import type { ExportFacts } from '#server/decoder/jobs.ts';

type Outcome = ExportCheck['rules'][number]['outcome'];
interface Finding {
  name: string;
  /** Whether the image obeys the rule, and whether the file does. */
  before: boolean;
  after: boolean;
  measured: string;
  needed: string;
}

/**
 * Says how a file obeys the rules of its preset.
 * @param bytes of the file
 */
export function checkRules(preset: ExportPresetId, facts: ExportFacts, bytes: number): ExportCheck['rules'] {
  return exportPreset(preset).rules.map((rule) => {
    const { name, before, after, measured, needed } = findingOf(rule, facts, bytes);
    const outcome: Outcome = after ? (before ? 'pass' : 'fixed') : 'fails';
    return { name, outcome, measured, needed, confirmed: rule.confirmed };
  });
}

/** An image that is enlarged more than this many times looks blurred. */
const enlargedMost = 2;

function findingOf(rule: ExportRule, facts: ExportFacts, bytes: number): Finding {
  const { from, width, height } = facts;
  const isSharp = facts.enlarged <= enlargedMost;
  switch (rule.kind) {
    case 'format': {
      const { name } = exportFormatNames[rule.format];
      // All images are PNG.
      return { name: 'Format', before: rule.format === 'png', after: true, measured: 'PNG', needed: name };
    }
    case 'white-background':
      return { name: 'Background', needed: '100 % pure white', ...whiteness(facts) };
    case 'product-share':
      return {
        name: 'Product size',
        needed: `at least ${percent(rule.least)} of the frame`,
        ...share(facts, rule.least),
      };
    case 'longest-side': {
      const most = rule.most ?? Number.POSITIVE_INFINITY;
      const isWithin = (side: number) => side >= rule.least && side <= most;
      const upper = rule.most === undefined ? '' : `, at most ${pixels(rule.most)}`;
      return {
        name: 'Longest side',
        before: isWithin(Math.max(from.width, from.height)),
        after: isWithin(Math.max(width, height)) && isSharp,
        measured: changed(Math.max(from.width, from.height), Math.max(width, height), facts),
        needed: `at least ${pixels(rule.least)}${upper}`,
      };
    }
    case 'shortest-side':
      return {
        name: 'Shortest side',
        before: Math.min(from.width, from.height) >= rule.least,
        after: Math.min(width, height) >= rule.least && isSharp,
        measured: changed(Math.min(from.width, from.height), Math.min(width, height), facts),
        needed: `at least ${pixels(rule.least)}`,
      };
    case 'size':
      return {
        name: 'Size',
        before: from.width === rule.width && from.height === rule.height,
        after: isSharp,
        measured: [`${number(from.width)} × ${number(from.height)} px`, ...steps(facts)].join(', '),
        needed: `${number(rule.width)} × ${number(rule.height)} px`,
      };
    case 'bytes':
      return {
        name: 'File size',
        before: bytes <= rule.most,
        after: bytes <= rule.most,
        measured: megabytes(bytes),
        needed: `at most ${megabytes(rule.most)}`,
      };
    case 'digital-source-type':
      return {
        name: 'Marked as made by AI',
        before: false,
        after: true,
        measured:
          facts.sourceType === 'composite'
            ? 'not needed: no AI drew it, and the file says that it is a composite'
            : `added to the file: ${facts.sourceType}`,
        needed: 'DigitalSourceType for images made or changed by AI',
      };
  }
}

function whiteness({ background }: ExportFacts): Pick<Finding, 'before' | 'after' | 'measured'> {
  const { isWhite, isClear, share } = background ?? { isWhite: false, isClear: true, share: 0 };
  if (!isClear) {
    const measured = 'a part of the product is as white as what is around it, so nothing was changed';
    return { before: false, after: false, measured };
  }
  if (!isWhite) {
    const measured = `a scene or coloured: ${percent(share)} of the border is nearly white`;
    return { before: false, after: false, measured };
  }
  return { before: share === 1, after: true, measured: `${percent(share)} pure white` };
}

function share(
  { background, productShare }: ExportFacts,
  least: number,
): Pick<Finding, 'before' | 'after' | 'measured'> {
  if (!productShare) {
    const why = background?.isWhite
      ? 'the product cannot be told from the white around it'
      : 'the background is not white';
    return { before: false, after: false, measured: `unknown: ${why}` };
  }
  const { before, after } = productShare;
  const now = before === after ? '' : `, now ${percent(after)}`;
  return { before: before >= least, after: after >= least, measured: percent(before) + now };
}

/** A side before and after. */
function changed(before: number, after: number, facts: ExportFacts): string {
  if (before === after) return pixels(before);
  return [pixels(before), `now ${pixels(after)}`, ...steps(facts)].join(', ');
}

/** What was done to reach the size. */
function steps({ enlarged, isCropped, isPadded, productShare }: ExportFacts): string[] {
  const steps: string[] = [];
  if (isCropped) steps.push(productShare ? 'cropped to the product' : 'cropped: the edges are cut off');
  if (isPadded) steps.push('white added around it');
  if (enlarged > enlargedMost) {
    steps.push(`enlarged ${enlarged.toFixed(1)} times: more than ${enlargedMost} times looks blurred`);
  } else if (enlarged > 1) steps.push(`enlarged ${enlarged.toFixed(1)} times`);
  return steps;
}

const number = (value: number) => value.toLocaleString('en-US');
const pixels = (value: number) => `${number(value)} px`;
/** Rounded down, so that only all of it is 100 %. */
const percent = (fraction: number) => `${Math.floor(fraction * 1_000) / 10} %`;
const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)} MB`;
