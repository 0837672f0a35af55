import clsx from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type CSSProperties, useEffect, useId, useRef, useState } from 'react';
import { type ExportCheck, exportFormatNames } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { RoundButton, type ZoomHandle, ZoomPane, zoomFrameClass } from '#web/ui/zoom-pane.tsx';
import type { MadeFile } from './api.ts';
import { Findings, PresetNotes } from './export-findings.tsx';
import { RuleMarks } from './rule-marks.tsx';
import type { ExportFile } from './use-export-files.ts';

interface ExportPreviewProps {
  files: readonly ExportFile[];
  /** Index of the one that is shown. */
  at: number;
  onShow: (index: number) => void;
  /** What a file is called here. */
  nameOf: (file: ExportFile) => string;
}

/** One of the files of an export as it will be saved, with its rules; the others can be gone through. */
export function ExportPreview({ files, at, onShow, nameOf }: ExportPreviewProps) {
  const file = files[at];
  if (!file) return <p className="text-ink-soft">Choose at least one format.</p>;
  const { made, error, preset } = file;
  const name = nameOf(file);
  const broken = files.flatMap((each, index) =>
    each.made && breaksRule(each.made.check) ? [{ index, name: nameOf(each) }] : [],
  );
  return (
    <div className="grid min-w-0 content-start gap-5 xl:grid-cols-[minmax(0,1fr)_21rem]">
      <section aria-label="Preview" className="grid min-w-0 content-start gap-3">
        <div className="flex min-h-11 items-center gap-2">
          <div className="min-w-0 flex-1">
            <h3 className="font-semibold wrap-anywhere">{name}</h3>
            <p className="text-sm text-ink-soft tabular-nums">{made ? sizeOf(made.check) : ' '}</p>
          </div>
          {files.length > 1 && (
            <>
              <RoundButton label="Previous file" disabled={at === 0} onClick={() => onShow(at - 1)}>
                <ChevronLeft aria-hidden className="size-5" />
              </RoundButton>
              <span role="status" className="text-sm whitespace-nowrap text-ink-soft tabular-nums">
                <span className="sr-only">{name}, file </span>
                {at + 1} of {files.length}
              </span>
              <RoundButton
                label="Next file"
                disabled={at === files.length - 1}
                onClick={() => onShow(at + 1)}
              >
                <ChevronRight aria-hidden className="size-5" />
              </RoundButton>
            </>
          )}
        </div>
        {made ? (
          <FilePicture
            key={`${file.image.id} ${preset.id} ${file.format}`}
            made={made}
            name={name}
            format={file.format}
          />
        ) : (
          <div className="sweep grid aspect-square max-h-[min(70dvh,44rem)] w-full place-content-center justify-items-center gap-3 rounded-field border border-line p-4">
            {error ? (
              <>
                <p role="alert" className="text-center text-danger">
                  {messageOf(error)}
                </p>
                <Button variant="secondary" onClick={file.tryAgain}>
                  Try again
                </Button>
              </>
            ) : (
              <p role="status" className="flex items-center gap-2 text-ink-soft">
                <Spinner /> Making the file…
              </p>
            )}
          </div>
        )}
      </section>
      <section aria-label="What the rules say" className="grid min-w-0 content-start gap-3">
        {broken.length > 0 && files.length > 1 && (
          <p className="rounded-field border border-line px-3 py-2 text-sm">
            {broken.length === 1 ? 'One file breaks a rule: ' : `${broken.length} files break a rule: `}
            {broken.map(({ index, name }, place) => (
              <span key={index}>
                {place > 0 && ', '}
                {index === at ? (
                  <strong className="font-semibold">{name}</strong>
                ) : (
                  <button type="button" className={textLinkClass} onClick={() => onShow(index)}>
                    {name}
                  </button>
                )}
              </span>
            ))}
          </p>
        )}
        {made && made.check.rules.length > 0 && <Findings check={made.check} />}
        {made?.check.rules.length === 0 && <p className="text-sm text-ink-soft">This format has no rules.</p>}
        <PresetNotes preset={preset} />
      </section>
    </div>
  );
}

const breaksRule = ({ rules }: ExportCheck) => rules.some(({ outcome }) => outcome === 'fails');

function sizeOf({ width, height, bytes, enlarged }: ExportCheck): string {
  const size =
    bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return `${width} × ${height} px, ${size}${enlarged > 1 ? `, enlarged ${enlarged.toFixed(1)} times` : ''}`;
}

/** An address of a file for as long as it is shown. */
function useAddress(file: Blob): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

/** The size of an element, and how many pixels of the screen one of the page has: both change with the browser's zoom. */
function useFrame() {
  const ref = useRef<HTMLDivElement>(null);
  const [frame, setFrame] = useState({ width: 0, height: 0, density: 1 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setFrame({ width, height, density: devicePixelRatio });
    });
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return [ref, frame] as const;
}

/** Zooms that are offered beside all of the file: pixels of the screen for one of the file. */
const zooms = [1, 2];
const zoomMost = 4;

interface FilePictureProps {
  made: MadeFile;
  name: string;
  format: ExportFile['format'];
}

/** The picture of a file, fitted at first, with the marks of its rules. */
function FilePicture({ made: { file, check }, name, format }: FilePictureProps) {
  const { width, height, rules } = check;
  const url = useAddress(file);
  const [frame, { density, ...space }] = useFrame();
  const pane = useRef<ZoomHandle>(null);
  const marksLayer = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const [areMarksShown, setAreMarksShown] = useState(true);
  const [isBroken, setIsBroken] = useState(false);
  const switchId = useId();
  // Pixels of the page for one of the file: never more than of the screen.
  const fitted = Math.min(space.width / width, space.height / height, 1 / density);
  const isZoomed = zoom > 1.001;
  const shown = zoom * fitted * density;
  const zoomOf = (wanted: number) => wanted / (fitted * density);
  const size = { width: width * fitted, height: height * fitted };
  const origin = { left: (space.width - size.width) / 2, top: (space.height - size.height) / 2 };
  const move = ({ state }: ZoomHandle) => {
    setZoom(state.scale);
    const { style } = marksLayer.current!;
    style.setProperty('--x', `${state.positionX}px`);
    style.setProperty('--y', `${state.positionY}px`);
    style.setProperty('--zoom', String(state.scale));
  };
  const hasMarks = rules.some(({ marks }) => marks.length > 0);
  const choice = (label: string, isChosen: boolean, onClick: () => void) => (
    <button
      key={label}
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className="min-h-11 rounded-full border border-transparent px-4 text-sm font-semibold aria-pressed:border-line-strong aria-pressed:bg-surface"
    >
      {label}
    </button>
  );
  return (
    <>
      <div
        ref={frame}
        className={clsx(
          'sweep relative aspect-square max-h-[min(70dvh,44rem)] w-full overflow-hidden rounded-field border border-line',
          zoomFrameClass(isZoomed),
        )}
      >
        {isBroken ? (
          <p className="grid size-full place-content-center p-4 text-center text-ink-soft">
            This browser can't show {exportFormatNames[format].name} files. The file can be downloaded all the
            same.
          </p>
        ) : (
          <ZoomPane
            ref={pane}
            label="The file. Plus and minus zoom, the arrow keys move it, 0 shows all."
            isZoomed={isZoomed}
            maxScale={Math.max(1, zoomOf(zoomMost))}
            movesByWheel
            onTransform={move}
          >
            <div className="grid size-full place-content-center">
              {url && (
                <img
                  src={url}
                  alt={`The file for ${name}`}
                  draggable={false}
                  onError={() => setIsBroken(true)}
                  style={size}
                  className="max-w-none"
                />
              )}
            </div>
          </ZoomPane>
        )}
        <div
          ref={marksLayer}
          style={{ '--x': '0px', '--y': '0px', '--zoom': '1' } as CSSProperties}
          className="pointer-events-none absolute inset-0 z-3 overflow-hidden"
        >
          {areMarksShown && hasMarks && !isBroken && space.width > 0 && (
            <RuleMarks rules={rules} origin={origin} scale={fitted} />
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <fieldset aria-label="Zoom" className="flex rounded-full bg-sunken p-1">
          {choice('Fit', !isZoomed, () => void pane.current?.resetTransform(0))}
          {zooms.map((each) =>
            choice(
              `${each * 100} %`,
              isZoomed && Math.abs(shown - each) < 0.005,
              () => void pane.current?.centerView(zoomOf(each), 0),
            ),
          )}
        </fieldset>
        <span role="status" className="text-sm text-ink-soft tabular-nums">
          Shown at {Math.round(shown * 100)} %
        </span>
        {hasMarks && (
          <span className="flex min-h-11 items-center gap-3 text-sm font-semibold">
            <Switch id={switchId} checked={areMarksShown} onChange={setAreMarksShown} />
            <label htmlFor={switchId}>Rule marks</label>
          </span>
        )}
      </div>
    </>
  );
}
