import {
  type ExportCheck,
  type ExportRule,
  exportFormatNames,
  type RuleMark,
  type SceneTemplate,
} from '#contract';
import { enlargedMost } from '#server/decoder/export-frame.ts';
import type { ExportFacts } from '#server/decoder/jobs.ts';

type Outcome = ExportCheck['rules'][number]['outcome'];
type RuleOf<Kind extends ExportRule['kind']> = Extract<ExportRule, { kind: Kind }>;
interface Finding {
  /** Whether the image obeys the rule, and whether the file does. */
  before: boolean;
  after: boolean;
  measured: string;
  /** What the seller can do if the file does not. */
  advice?: string | null;
  /** Where it is seen in the file. */
  marks?: RuleMark[];
}

/** A rule in words: what it is about, and what it needs. */
export function describeRule(rule: ExportRule): { name: string; needed: string } {
  switch (rule.kind) {
    case 'format':
      return { name: 'Format', needed: exportFormatNames[rule.format].name };
    case 'white-background':
      return { name: 'Background', needed: '100 % pure white' };
    case 'product-share':
      return { name: 'Product size', needed: shareWanted(rule) };
    case 'background':
      return { name: 'Background', needed: colourName(rule.colour) };
    case 'longest-side': {
      const upper = rule.most === undefined ? '' : `, at most ${pixels(rule.most)}`;
      const needed = rule.most === rule.least ? pixels(rule.least) : `at least ${pixels(rule.least)}${upper}`;
      return { name: 'Longest side', needed };
    }
    case 'shortest-side':
      return { name: 'Shortest side', needed: `at least ${pixels(rule.least)}` };
    case 'size':
      return { name: 'Size', needed: `${number(rule.width)} × ${number(rule.height)} px` };
    case 'ratio':
      return { name: 'Aspect ratio', needed: ratioOf(rule).usual };
    case 'bytes': {
      const { least = 0, most } = rule;
      const lower = least > 0 ? `at least ${fileSize(least)}, ` : '';
      return { name: 'File size', needed: `${lower}at most ${fileSize(most)}` };
    }
    case 'digital-source-type':
      return {
        name: 'Marked as made by AI',
        needed: 'DigitalSourceType for images made or changed by AI',
      };
  }
}

/**
 * Says how a file obeys the rules of its preset.
 * @param bytes of the file
 */
export function checkRules(
  rules: readonly ExportRule[],
  facts: ExportFacts,
  bytes: number,
): ExportCheck['rules'] {
  return rules.map((rule) => {
    const { before, after, measured, advice = null, marks = [] } = findingOf(rule, facts, bytes);
    const outcome: Outcome = after ? (before ? 'pass' : 'fixed') : 'fails';
    const { confirmed, advised = false } = rule;
    return {
      ...describeRule(rule),
      outcome,
      measured,
      confirmed,
      advised,
      advice: outcome === 'fails' ? advice : null,
      // What is cut off from the file has no place in it.
      marks: marks.filter(
        ({ kind, width, height }) => (kind !== 'failing' || outcome === 'fails') && width > 0 && height > 0,
      ),
    };
  });
}

function findingOf(rule: ExportRule, facts: ExportFacts, bytes: number): Finding {
  const { from, width, height } = facts;
  const isSharp = facts.enlarged <= enlargedMost;
  switch (rule.kind) {
    case 'format':
      // All images are PNG.
      return { before: rule.format === 'png', after: true, measured: 'PNG' };
    case 'white-background':
      return whiteness(facts);
    case 'background':
      return replaced(facts, rule);
    case 'product-share':
      return { ...share(facts, rule), marks: shareMarks(facts, rule) };
    case 'longest-side': {
      const most = rule.most ?? Number.POSITIVE_INFINITY;
      const isWithin = (side: number) => side >= rule.least && side <= most;
      return {
        before: isWithin(Math.max(from.width, from.height)),
        after: isWithin(Math.max(width, height)) && isSharp,
        measured: changed(Math.max(from.width, from.height), Math.max(width, height), rule.least, facts),
        advice: sizeAdvice,
        marks: [sideMark(facts, width >= height)],
      };
    }
    case 'shortest-side':
      return {
        before: Math.min(from.width, from.height) >= rule.least,
        after: Math.min(width, height) >= rule.least && isSharp,
        measured: changed(Math.min(from.width, from.height), Math.min(width, height), rule.least, facts),
        advice: sizeAdvice,
        marks: [sideMark(facts, width < height)],
      };
    case 'size':
      return {
        before: from.width === rule.width && from.height === rule.height,
        after: isSharp,
        measured: [`${number(from.width)} × ${number(from.height)} px`, ...steps(facts)].join(', '),
        advice: sizeAdvice,
        marks: [sideMark(facts, width >= height)],
      };
    case 'ratio': {
      const { isKept } = ratioOf(rule);
      return {
        before: isKept(from),
        after: isKept({ width, height }),
        measured: [`${number(from.width)} × ${number(from.height)} px`, ...shaping(facts)].join(', '),
      };
    }
    case 'bytes': {
      const { least = 0, most } = rule;
      const isWithin = (size: number) => size >= least && size <= most;
      const { usualBytes } = facts;
      return {
        before: isWithin(usualBytes),
        after: isWithin(bytes),
        measured: bytes === usualBytes ? fileSize(bytes) : `${fileSize(usualBytes)}, now ${fileSize(bytes)}`,
        advice: bytes > most ? 'Crop the image in the editor: what shows less has fewer bytes.' : null,
      };
    }
    case 'digital-source-type':
      return {
        before: false,
        after: true,
        measured:
          facts.sourceType === 'composite'
            ? 'not needed: no AI drew it, and the file says that it is a composite'
            : `added to the file: ${facts.sourceType}`,
      };
  }
}

function whiteness({ background, notWhite }: ExportFacts): Finding {
  const { isWhite, isClear, share } = background ?? { isWhite: false, isClear: true, share: 0 };
  if (!isClear) {
    const measured = 'a part of the product is as white as what is around it, so nothing was changed';
    const marks = notWhite.map((part) => ({
      kind: 'failing' as const,
      label: 'Hard to tell from white',
      ...part,
    }));
    const advice =
      'Look at the marked place at 100 %. Make the image again with “a visible edge and a soft shadow” in the description, or choose a format that takes any background.';
    return { before: false, after: false, measured, advice, marks };
  }
  if (!isWhite) {
    const measured = `a scene or coloured: ${percent(share)} of the border is nearly white`;
    const marks = notWhite.map((edge) => ({ kind: 'failing' as const, label: 'Not white here', ...edge }));
    const advice =
      share >= mostlyWhite
        ? 'Something reaches the edge. Make the image again with more space around the product.'
        : `Make the image again with the scene “${whiteScene}”, or choose a format that takes any background.`;
    return { before: false, after: false, measured, advice, marks };
  }
  return { before: share === 1, after: true, measured: `${percent(share)} pure white` };
}

/** A background that is to be another one than white: only white is replaced. */
function replaced(facts: ExportFacts, { colour }: RuleOf<'background'>): Finding {
  if (colour === null && facts.wasClear)
    return { before: true, after: true, measured: 'already transparent' };
  const { after, measured, ...others } = whiteness(facts);
  return { ...others, before: false, after, measured: after ? `replaced: ${colourName(colour)}` : measured };
}

const colourName = (colour: string | null) => colour ?? 'transparent';

/** How much another share of the frame may differ from the one that is exact: a pixel in each direction of a small image. */
const shareMargin = 0.01;

/** Whether a share of the frame is what a rule wants. */
const isShareRight = (fraction: number, { least, isExact }: RuleOf<'product-share'>) =>
  isExact ? Math.abs(fraction - least) <= shareMargin : fraction >= least;

function share({ background, productShare }: ExportFacts, rule: RuleOf<'product-share'>): Finding {
  if (!productShare) {
    const why = background?.isWhite
      ? 'the product cannot be told from the white around it'
      : 'the background is not white';
    const advice = 'The product is measured on white only: mend the background first.';
    return { before: false, after: false, measured: `unknown: ${why}`, advice };
  }
  const { before, after } = productShare;
  const now = before === after ? '' : `, now ${percent(after)}`;
  return {
    before: isShareRight(before, rule),
    after: isShareRight(after, rule),
    measured: percent(before) + now,
  };
}

const whiteScene = 'Minimalist White Background' satisfies SceneTemplate;
/** From this share of the border on, what is not white is an exception. */
const mostlyWhite = 0.5;
const sizeAdvice =
  'Make the image again with more pixels (2048 × 2048), or with the product larger in the picture.';

const shareWanted = ({ least, isExact }: RuleOf<'product-share'>) =>
  `${isExact ? '' : 'at least '}${percent(least)} of the frame`;

/**
 * What the product has to reach on both sides, and what it takes: along the axis on which it is longer; if its share is exact,
 * along the one of which it takes more.
 */
function shareMarks(
  { width, height, product, productShare }: ExportFacts,
  rule: RuleOf<'product-share'>,
): RuleMark[] {
  const { least, isExact } = rule;
  const [wide, high] = product && isExact ? [product.width / width, product.height / height] : [0, 0];
  const isAcross = !product ? width >= height : isExact ? wide >= high : product.width >= product.height;
  const [side, from, size] = isAcross
    ? [width, product?.left ?? 0, product?.width ?? width]
    : [height, product?.top ?? 0, product?.height ?? height];
  const length = Math.min(side, Math.round(least * (isExact ? side : Math.max(width, height))));
  const start = Math.min(side - length, Math.max(0, Math.round(from + (size - length) / 2)));
  const wanted = isAcross
    ? { left: start, top: 0, width: length, height }
    : { left: 0, top: start, width, height: length };
  const wantedShare = shareWanted(rule);
  const label = wantedShare[0]!.toUpperCase() + wantedShare.slice(1);
  if (!product || !productShare) return [{ kind: 'wanted', label, ...wanted }];
  const { after } = productShare;
  const kind = isShareRight(after, rule) ? 'measured' : 'failing';
  return [
    { kind: 'wanted', label, ...wanted },
    { kind, label: `Product: ${percent(after)}`, ...product },
  ];
}

/** How thick the mark of a side is, as a fraction of the shorter one. */
const sideDepth = 0.02;

/** A side of the file that is too short, or was enlarged too much. @param isAcross whether it is the upper or the left one */
function sideMark({ width, height, enlarged }: ExportFacts, isAcross: boolean): RuleMark {
  const blurred = enlarged > enlargedMost ? `, enlarged ${enlarged.toFixed(1)} times` : '';
  const depth = Math.max(1, Math.round(Math.min(width, height) * sideDepth));
  return {
    kind: 'failing',
    label: `${pixels(isAcross ? width : height)}${blurred}`,
    left: 0,
    top: 0,
    width: isAcross ? width : depth,
    height: isAcross ? depth : height,
  };
}

/** A side before and after. @param least how long it should be */
function changed(before: number, after: number, least: number, facts: ExportFacts): string {
  const change = before === after ? [] : [`now ${pixels(after)}`, ...steps(facts)];
  // What was enlarged too much says so already.
  const isTooSmall = after < least && facts.enlarged <= enlargedMost;
  const why = isTooSmall ? ['enlarging it further would look blurred'] : [];
  return [pixels(before), ...change, ...why].join(', ');
}

/** What was done to reach the size. */
function steps(facts: ExportFacts): string[] {
  const { enlarged } = facts;
  if (enlarged <= 1) return shaping(facts);
  const isBlurred = enlarged > enlargedMost;
  const blur = isBlurred ? `: more than ${enlargedMost} times looks blurred` : '';
  return [...shaping(facts), `enlarged ${enlarged.toFixed(1)} times${blur}`];
}

/** What was done to the frame. */
function shaping({ isCropped, isPadded, productShare, isCleared }: ExportFacts): string[] {
  const steps: string[] = [];
  if (isCropped && productShare)
    steps.push(isPadded ? 'product moved to the middle' : 'cropped to the product');
  else if (isCropped) steps.push('cropped: the edges are cut off');
  if (isPadded) steps.push(`${isCleared ? 'background' : 'white'} added around it`);
  return steps;
}

/** How a ratio is called, and whether a size has it, to a pixel. */
function ratioOf({ width, height }: { width: number; height: number }) {
  const isSmall = width < 10 && height < 10;
  return {
    usual: isSmall ? `${width}:${height}` : `1:${(height / width).toFixed(2)}`,
    isKept: (size: { width: number; height: number }) =>
      Math.abs(size.width - (size.height * width) / height) <= 1,
  };
}

const number = (value: number) => value.toLocaleString('en-US');
const pixels = (value: number) => `${number(value)} px`;
/** Rounded down, so that only all of it is 100 %. */
const percent = (fraction: number) => `${Math.floor(fraction * 1_000) / 10} %`;
/** Of files, in KB below a MB. */
function fileSize(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  if (megabytes < 1) return `${Math.ceil(bytes / 1024)} KB`;
  return `${megabytes.toFixed(megabytes < 10 && !Number.isInteger(megabytes) ? 1 : 0)} MB`;
}
