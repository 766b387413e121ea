import { memoryGroup, type MemoryGroup } from '../support/memory-group.ts';
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
    name: `${shoots} healthy shoots of ${nodes} nodes, probed every ${interval} s, for ${seconds} s twice`,
    figures: [
      { what: 'CPU, first minute', unit: 'ms a shoot and interval' },
      { what: 'CPU, once warm', unit: 'ms a shoot and interval' },
      { what: 'requests to the shoot', unit: 'a shoot and interval' },
      { what: 'handshakes with the shoot', unit: 'a shoot and interval' },
      { what: 'bytes to and from the shoot', unit: 'KiB a shoot and interval' },
      { what: 'requests to the seed, its Lease aside', unit: 'a shoot and interval' },
      { what: 'handshakes with the seed', unit: 'a shoot and interval' },
      { what: 'bytes to and from the seed', unit: 'KiB a shoot and interval' },
      { what: 'memory, resident', unit: 'MiB' },
      { what: 'memory, of no file', unit: 'MiB' },
      {
        what: 'memory, working set of its container',
        unit: 'MiB',
        readme: {
          row: `memory with ${shoots} shoots, as a dashboard shows it (working set)`,
          write: (value) => `${value.toFixed(0)} MiB`,
        },
      },
      { what: 'longest time in which a shoot was asked nothing', unit: 's' },
    ],
    play: (command) =>
      inGroup(command, (entered, group) =>
        onSeed({ command: entered, shoots, nodes, interval: `${interval}s`, delay: '0s' }, async (staged) => {
          const { seed } = staged;
          await using program = await staged.startProber();
          await staged.asksAll(program, 90_000);
          const cold = costOf(program.pid);
          await pause(seconds * 1_000);
          const warm = costOf(program.pid);
          // What is called often is compiled by then.
          await pause(seconds * 500);
          const [startedAt, was, before] = [Date.now(), await seed.report(), costOf(program.pid)];
          await pause(seconds * 1_000);
          program.refuseEnd();
          const [is, after] = [await seed.report(startedAt), costOf(program.pid)];
          const times = (shoots * seconds) / interval;
          const grown = (pick: (report: SeedReport) => Traffic, what: keyof Traffic): number =>
            (pick(is)[what] - pick(was)[what]) / times;
          return [
            cold && warm && ((warm.cpuSeconds - cold.cpuSeconds) * 1_000) / times,
            before && after && ((after.cpuSeconds - before.cpuSeconds) * 1_000) / times,
            ...[(report: SeedReport) => report.shoots, (report: SeedReport) => report.seed].flatMap((pick) => [
              grown(pick, 'requests'),
              grown(pick, 'handshakes'),
              grown(pick, 'bytes') / kibibyte,
            ]),
            after && after.residentBytes / kibibyte ** 2,
            after && after.anonymousBytes / kibibyte ** 2,
            group && group.read().workingSetBytes / kibibyte ** 2,
            is.asked.longestGap / 1_000,
          ];
        }),
      ),
  };
}

async function inGroup<Answer>(
  command: string,
  play: (entered: string, group: MemoryGroup | undefined) => Promise<Answer>,
): Promise<Answer> {
  await using group = memoryGroup();
  return await play(group === undefined ? command : `${group.enter} ${command}`, group);
}
