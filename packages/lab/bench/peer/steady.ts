import { costOf } from '../support/process-cost.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { onSeed } from './staged-seed.ts';
import type { Measure } from './measure.ts';
import type { SeedReport, Traffic } from '../support/started-seed.ts';

const kibibyte = 1_024;

/** What guarding healthy shoots costs, for each shoot and interval. Without a configured delay, which some sleep through on each probe. */
export function steady({
  shoots,
  nodes,
  interval,
  seconds,
}: Readonly<{ shoots: number; nodes: number; interval: number; seconds: number }>): Measure {
  return {
    name: `${shoots} healthy shoots of ${nodes} nodes, probed every ${interval} s, for ${seconds} s`,
    figures: [
      { what: 'CPU', unit: 'ms a shoot and interval' },
      { what: 'requests to the shoot', unit: 'a shoot and interval' },
      { what: 'handshakes with the shoot', unit: 'a shoot and interval' },
      { what: 'bytes to and from the shoot', unit: 'KiB a shoot and interval' },
      { what: 'requests to the seed, its Lease aside', unit: 'a shoot and interval' },
      { what: 'handshakes with the seed', unit: 'a shoot and interval' },
      { what: 'bytes to and from the seed', unit: 'KiB a shoot and interval' },
      { what: 'memory', unit: 'MiB' },
      { what: 'longest time in which a shoot was asked nothing', unit: 's' },
    ],
    play: (command) =>
      onSeed({ command, shoots, nodes, interval: `${interval}s`, delay: '0s' }, async (staged) => {
        const { seed } = staged;
        await using program = await staged.startProber();
        await staged.asksAll(program, 90_000);
        // Whatever a program does only once, right after its first probes, is over by then.
        await pause(Math.min(seconds, interval) * 1_000);
        const [startedAt, was, before] = [Date.now(), await seed.report(), costOf(program.pid)];
        await pause(seconds * 1_000);
        program.refuseEnd();
        const [is, after] = [await seed.report(startedAt), costOf(program.pid)];
        const times = (shoots * seconds) / interval;
        const grown = (pick: (report: SeedReport) => Traffic, what: keyof Traffic): number =>
          (pick(is)[what] - pick(was)[what]) / times;
        return [
          before && after && ((after.cpuSeconds - before.cpuSeconds) * 1_000) / times,
          ...[(report: SeedReport) => report.shoots, (report: SeedReport) => report.seed].flatMap((pick) => [
            grown(pick, 'requests'),
            grown(pick, 'handshakes'),
            grown(pick, 'bytes') / kibibyte,
          ]),
          after && after.residentBytes / kibibyte ** 2,
          is.asked.longestGap / 1_000,
        ];
      }),
  };
}
