/** Plays `npm run simulate` to a terminal of our own, and draws what it painted: docs/simulator/outage.svg, which README.md shows. */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { NEVER } from 'rxjs';
import { runSimulate } from '@dwd/simulator/commands/simulate.ts';
import { keepingTerminal, plainText, type Frame } from './terminal-frames.ts';
import { terminalSvg } from './terminal-svg.ts';

const frames: Frame[] = [];
const terminal = keepingTerminal((frame) => frames.push(frame));
const io = { out: () => {}, err: (line: string) => void process.stderr.write(`${line}\n`), env: {} };
const around = { terminal, colours: true, interrupted$: NEVER, another$: NEVER, keys$: undefined };
process.exitCode = await runSimulate(['--seed=1', '--speed=4'], io, around);

/** When a line with these words came into sight, in the story's time. */
const when = (words: string, all: readonly Frame[] = frames) =>
  all.find(({ lines }) => lines.some((line) => plainText(line).includes(words)))?.seconds ?? 0;
const fails = when('A NAT gateway fails');
const healed = when('The NAT gateway is back');
const title =
  'npm run simulate: a NAT gateway fails, the prober scales the controllers of three shoots to 0 in time, and brings them back; an unwatched twin loses its five machines';
writeFileSync(
  new URL('../../docs/simulator/outage.svg', import.meta.url),
  terminalSvg(frames, { title, from: fails - 4, poster: healed - 2 }),
);
