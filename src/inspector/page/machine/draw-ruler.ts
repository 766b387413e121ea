import { firstWhere } from '../../told/lanes-find.ts';
import { rulerStep } from '../../told/lanes-window.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import { dayText, timeText, type Zone } from '../format/instant-text.ts';
import { rulerHeight, xOf, type Scene } from './timeline-scene.ts';

/** Room for `12:00:44.1` and a gap. */
const labelWidth = 84;
const minute: Millis = 60_000;
const day: Millis = 86_400_000;

/** Times above, and below them a mark for each turn: a long one where it has a consequence. */
export function drawRuler(pen: CanvasRenderingContext2D, scene: Scene): void {
  const { window, width, palette, zone } = scene;
  pen.fillStyle = palette.raised;
  pen.fillRect(0, 0, width, rulerHeight);
  const step = rulerStep(window, width / labelWidth);
  const offset = zone === 'utc' ? 0 : new Date(window.from).getTimezoneOffset() * minute;
  pen.fillStyle = palette.quiet;
  for (let at = Math.ceil((window.from - offset) / step) * step + offset; at <= window.until; at += step) {
    const x = Math.round(xOf(scene, at));
    pen.fillStyle = palette.line;
    pen.fillRect(x, 0, 1, rulerHeight);
    pen.fillStyle = palette.quiet;
    pen.fillText(rulerText(at, step, zone), x + 4, 9);
  }
  drawTurns(pen, scene);
  pen.fillStyle = palette.line;
  pen.fillRect(0, rulerHeight - 1, width, 1);
}

function drawTurns(pen: CanvasRenderingContext2D, scene: Scene): void {
  const { turns, consequences, window, palette } = scene;
  const begin = firstWhere(turns.length, (index) => (turns[index]?.turn.at ?? 0) >= window.from);
  for (const consequent of [false, true]) {
    pen.fillStyle = consequent ? palette.ink : palette.edge;
    let last = -10;
    for (let index = begin; index < turns.length; index++) {
      const at = turns[index]?.turn.at ?? 0;
      if (at > window.until) break;
      if (consequences[index] !== consequent) continue;
      const x = Math.round(xOf(scene, at));
      if (x - last < 2) continue;
      last = x;
      if (consequent) pen.fillRect(x, rulerHeight - 14, 2, 13);
      else pen.fillRect(x, rulerHeight - 7, 1, 6);
    }
  }
}

function rulerText(at: Instant, step: Millis, zone: Zone): string {
  const text = timeText(at, zone);
  if (step >= day || text.startsWith('00:00:00.0')) return dayText(at, zone).slice(0, -5);
  if (step < 100) return `${text.slice(0, -1)}${String(Math.floor(at) % 1_000).padStart(3, '0')}`;
  if (step < 1_000) return text;
  return text.slice(0, step < minute ? 8 : 5);
}
