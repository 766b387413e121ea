/**
 * Our program as it ships and another watchdog, a peer, through the same measures on the same embedded seed, in turns: ours, peer, ours,
 * peer. The peer understands the same flags and files: `prober` or `weeder` and Gardener's flags are appended to
 * its command, which is a shell's and becomes the program itself (a command that only starts another process would show that
 * one's cost as nothing). All figures are seen from outside: by the seed what it is asked, on the wire, and
 * by Linux's /proc, which other systems lack, CPU and memory. What a watchdog cannot do is shown as –, with the reason.
 *
 *     npm run bench -- --peer='COMMAND' [--rounds 2] [--only 'WORDS OF A MEASURE'] [--short]
 */
import process from 'node:process';
import { crash, failOver, gracefulEnd, restart } from './peer/changes.ts';
import type { Measure } from './peer/measure.ts';
import { allAtOnce, singleOutages } from './peer/outages.ts';
import { steady } from './peer/steady.ts';
import { playInTurns, readmeRows, tableLines } from './peer/turns.ts';
import { weedAll, weedOne } from './peer/weeding.ts';
import { flags, say } from './support/flags.ts';
import { ShippedProgram } from './support/shipped-program.ts';
import { runtimeEnvironment } from '../../../hack/build/runtime-flags.ts';

using shipped = await ShippedProgram.build();
// Without a limit of memory, as gardenlet runs both: the percentage of the flags is one of this machine.
const environment = Object.entries(runtimeEnvironment).map(([name, value]) => `${name}='${value}'`);
const ours = ['env', ...environment, `'${process.execPath}'`, `'${shipped.file}'`].join(' ');
const values = flags({ peer: '', rounds: 0, only: '', short: false });
const measures: readonly Measure[] = values.short
  ? [
      steady({ shoots: 3, nodes: 3, interval: 1, seconds: 3 }),
      singleOutages({ shoots: 2, nodes: 3, interval: 1, delay: 0, limit: 40_000 }),
      restart({ shoots: 3 }),
      failOver({ shoots: 3, ends: [gracefulEnd] }),
      weedOne({ recoveries: 1, namespaces: 2, settle: 2_000 }),
      weedAll({ services: 3, settle: 2_000, limit: 20_000 }),
    ]
  : [
      steady({ shoots: 100, nodes: 5, interval: 10, seconds: 60 }),
      singleOutages({ shoots: 20, nodes: 5, interval: 30, delay: 30, limit: 120_000 }),
      allAtOnce({ shoots: 100, nodes: 5, limit: 60_000 }),
      allAtOnce({ shoots: 500, nodes: 5, limit: 120_000 }),
      restart({ shoots: 100 }),
      failOver({ shoots: 100, ends: [gracefulEnd, crash] }),
      weedOne({ recoveries: 20, namespaces: 40, settle: 8_000 }),
      weedAll({ services: 250, settle: 8_000, limit: 90_000 }),
    ];
const rounds = values.rounds || (values.short ? 1 : 2);
// In its short form it only tries itself.
const peer = values.peer || (values.short ? ours : '');
if (peer === '') throw new Error("--peer='COMMAND' says which other watchdog to run");

say(`ours: as the image starts it; peer: ${values.peer || 'ours once more'}; means of ${rounds} runs each, in turns`);
if (process.platform !== 'linux') say('CPU and memory are shown as –: only Linux has /proc');
say(`${''.padEnd(70)}${['ours', 'peer', 'peer/ours'].map((head) => head.padStart(11)).join('')}`);
const readme: string[] = [];
for (const measure of measures.filter(({ name }) => name.includes(values.only))) {
  const played = await playInTurns(measure, [ours, peer], rounds);
  for (const line of tableLines(measure, played)) say(line);
  readme.push(...readmeRows(measure, played));
  // Another watchdog may lack what it cannot do; ours has no excuse.
  const complete = values.peer === '' ? played : played.slice(0, 1);
  if (complete.some((one) => one.values.includes(undefined) || one.reasons.length > 0)) process.exitCode = 1;
}
if (readme.length > 0) say(['', "rows of the README's table, peer and ours:", '', ...readme].join('\n'));
