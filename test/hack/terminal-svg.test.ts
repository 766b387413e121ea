import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepingTerminal, type Frame } from '../../hack/docs/terminal-frames.ts';
import { terminalSvg } from '../../hack/docs/terminal-svg.ts';
import { standingWords } from '../../src/adapters/record/words/standing-words.ts';
import { piece } from '../../src/commands/terminal/painted-line.ts';
import { liveScreen } from '../../src/commands/terminal/terminal.ts';

/** What a terminal keeps of a story of ten seconds, in which a shoot goes down in the sixth. */
function played(): readonly Frame[] {
  const frames: Frame[] = [];
  const screen = liveScreen(keepingTerminal((frame) => frames.push(frame)));
  for (let second = 0; second <= 10; second += 1) {
    const isDown = second >= 6;
    screen.paint([
      [piece('simulate', 'bold'), piece(`   ${second}.0 s simulated`)],
      [],
      [piece('shoot  state', 'dim')],
      [piece('a--b   '), isDown ? piece('down', 'bad') : piece('well', 'good')],
      [],
      [piece('0.0 s  All is calm & <well>.')],
      ...(isDown ? [[piece('6.0 s  '), piece('it goes down', 'bad')]] : []),
    ]);
  }
  screen.end();
  return frames;
}

describe('a film of a terminal', () => {
  const svg = terminalSvg(played(), { title: 'A story', from: 0, poster: 7 });

  test('has each text once, in its colour', () => {
    expect(svg.match(/>well</g)).toHaveLength(1);
    expect(svg).toContain('class="g">well<');
    expect(svg).toContain('class="r">down<');
    expect(svg).toContain('All is calm &amp; &lt;well&gt;.');
  });

  test('moves to a text when the terminal showed it, and stands still where it is most telling for who wants no motion', () => {
    // It plays for 20 of 24 s: the sixth of ten seconds is reached at half of its length.
    const state = svg
      .split('\n')
      .find((line) => /^@keyframes .*translateY\(-18px\)\}\}$/.test(line) && line.match(/%/g)?.length === 2);
    expect(state).toMatch(/\{0%\{transform:translateY\(0px\)\}50%\{transform:translateY\(-18px\)\}\}$/);
    const field = /k(\d+)/.exec(state ?? '')?.[1];
    expect(svg).toContain(`#f${field}{transform:translateY(-18px);animation-name:k${field}}`);
    expect(svg).toContain('@media (prefers-reduced-motion:reduce){use{animation:none!important}}');
  });

  test('is not made of a screen without a table', () => {
    expect(() => terminalSvg([{ seconds: 0, lines: [] }], { title: '', from: 0, poster: 0 })).toThrow('no table');
  });
});

test('the film of README.md shows the words that `simulate` has today', () => {
  const film = readFileSync(join(import.meta.dirname, '../../docs/simulator/outage.svg'), 'utf8');
  const words = [standingWords.watched, standingWords.scaledDown, standingWords.scalingUp];
  expect(words.filter((word) => !film.includes(`>${word}<`))).toEqual([]);
});
