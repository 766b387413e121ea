import { useEffect, useState } from 'preact/hooks';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Lane, LeaseLimit } from '../../model/timeline/lanes.ts';
import { shareOf, type TimeScale } from '../../model/timeline/time-scale.ts';
import type { TimeBounds, TimeWindow } from '../../model/timeline/time-window.ts';
import type { Zone } from '../format/texts.ts';

/** The custom properties of base.css that a canvas uses. */
export type Ink =
  | 'ground'
  | 'paper'
  | 'raised'
  | 'line'
  | 'edge'
  | 'ink'
  | 'quiet'
  | `${'accent' | 'cut-off' | 'down' | 'refused'}${'' | '-ground'}`;

/** What each comes to, as a canvas takes it. */
export type Palette = (ink: Ink) => string;

/** Of themselves custom properties say both what they are in the light and in the dark: an element that has the colour tells which one it is. */
export function readPalette(probe: HTMLElement): Palette {
  const known = new Map<Ink, string>();
  return (ink) => {
    let colour = known.get(ink);
    if (colour !== undefined) return colour;
    probe.style.setProperty('color', `var(--${ink})`);
    colour = getComputedStyle(probe).color;
    known.set(ink, colour);
    return colour;
  };
}

/** Changes with what the colours of base.css come to: the reader's choice in the header, or that of the system. */
export function useDarkness(): string {
  const [darkness, setDarkness] = useState(readDarkness);
  useEffect(() => {
    const heard = () => setDarkness(readDarkness());
    const media = matchMedia('(prefers-color-scheme: dark)');
    const observer = new MutationObserver(heard);
    media.addEventListener('change', heard);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    heard();
    return () => {
      media.removeEventListener('change', heard);
      observer.disconnect();
    };
  }, []);
  return darkness;
}

function readDarkness(): string {
  const { matches } = matchMedia('(prefers-color-scheme: dark)');
  return `${document.documentElement.dataset['theme'] ?? ''} ${matches}`;
}

/** Heights in pixels. The names beside the canvas have them from here. */
export const rulerHeight = 34;
const laneHeights: Readonly<Record<Lane['shows'], number>> = {
  state: 26,
  probes: 26,
  path: 34,
  dependant: 34,
  lease: 34,
  endpoints: 26,
  window: 26,
  pods: 26,
  pod: 34,
  leader: 26,
};

/** A lane, and where it stands, in pixels below the ruler. */
export type Row = Readonly<{ lane: Lane; top: number; height: number }>;

export function rowsOf(lanes: readonly Lane[]): readonly Row[] {
  let top = 0;
  return lanes.map((lane) => {
    const row = { lane, top, height: laneHeights[lane.shows] };
    top += row.height;
    return row;
  });
}

/** What stands on the time axis, whatever part of it is seen. */
export type Content = Readonly<{
  rows: readonly Row[];
  limits: readonly LeaseLimit[];
  turns: readonly Readonly<{ turn: Readonly<{ at: Instant }> }>[];
  consequences: readonly boolean[];
  bounds: TimeBounds;
  /** Of the turn that is shown; null where there is none. */
  selectedAt: Instant | null;
  zone: Zone;
}>;

/** All that a picture depends on. */
export type Scene = Content &
  Readonly<{
    window: TimeWindow;
    /** The window, with its bursts opened. */
    scale: TimeScale;
    width: number;
    height: number;
    scrolled: number;
    pointedAt: Instant | null;
    palette: Palette;
  }>;

/** Where an instant stands, in pixels from the left. */
export function xOf({ scale, width }: Pick<Scene, 'scale' | 'width'>, at: Instant): number {
  return shareOf(scale, at) * width;
}
