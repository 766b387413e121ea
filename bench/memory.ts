/**
 * The memory of a prober that guards healthy shoots, as the kernel counts it: from the sources, and built as it ships, with the flags of the
 * image in a container of 256 MiB. Each run is a process of its own; the seed is another, and the API servers of all shoots are one. Aims, built: at most 90 MiB idle, 110 MiB at
 * 300 shoots, 200 MiB at 1,000.
 *
 *     node bench/memory.ts [--shoots 0,300,1000] [--nodes 5] [--interval 30] [--seconds 60] [--program sources,built] [--flags='…']
 *
 * What helps, at 300 shoots: a young generation of 1 MiB (10 MiB less, at the same CPU) and `MALLOC_ARENA_MAX=1` (5 MiB less). Neither can be
 * set by the program itself once it runs: the package or the image must. Half of an idle prober's memory is Node's own file.
 *
 * `resident` is what `kubectl top` comes near to; `anonymous` leaves out the pages of Node's own file, which the processes of a node
 * share, and which the kernel may drop.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { distributionOf } from './support/distribution.ts';
import type { ProcessCost } from './support/process-cost.ts';
import { programsOf, shippedEnvironment, ShippedProgram, shippedFlags } from './support/shipped-program.ts';
import { proberConfigText } from './support/prober-config-text.ts';
import { StartedProgram } from './support/started-program.ts';
import { main } from './support/started-role.ts';
import { startSeed } from './support/started-seed.ts';

const { values } = parseArgs({
  options: {
    shoots: { type: 'string', default: '0,300,1000' },
    nodes: { type: 'string', default: '5' },
    interval: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '60' },
    program: { type: 'string', default: 'sources,built' },
    flags: { type: 'string', default: shippedFlags.join(' ') },
  },
});
const [nodes, interval, seconds] = [values.nodes, values.interval, values.seconds].map(Number) as [
  number,
  number,
  number,
];

const columnWidth = 11;

const environment = Object.entries(shippedEnvironment)
  .map((pair) => pair.join('='))
  .join(' ');
using shipped = await ShippedProgram.build();
const dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
const configFile = join(dir, 'config.yaml');
writeFileSync(configFile, proberConfigText({ interval: `${interval}s` }));
try {
  say(`shoots of ${nodes} nodes, probed every ${interval} s; V8: ${values.flags || 'as it is'}`);
  const heads = ['resident', 'anonymous', 'most', 'of a core'].map((head) => head.padStart(columnWidth));
  say(`${'MiB'.padEnd(26)}${heads.join('')}`);
  for (const program of programsOf(values.program)) {
    const file = program === 'built' ? shipped.file : main;
    for (const shoots of values.shoots.split(',').map(Number)) {
      const costs = await watched(`env ${environment} ${process.execPath} ${values.flags} ${file}`, shoots);
      const median = (of: (cost: ProcessCost) => number): number => distributionOf(costs.map(of)).median;
      const [first, last] = [costs[0], costs.at(-1)];
      const mebibytes = [
        median(({ residentBytes }) => residentBytes),
        median(({ anonymousBytes }) => anonymousBytes),
        last?.mostResidentBytes ?? NaN,
      ].map((bytes) => (bytes / 1_048_576).toFixed(0).padStart(columnWidth));
      const cpu = ((last?.cpuSeconds ?? NaN) - (first?.cpuSeconds ?? NaN)) / (costs.length - 1);
      say(
        `${`${program}, ${shoots} shoots:`.padEnd(26)}${mebibytes.join('')}${(cpu * 100).toFixed(1).padStart(columnWidth)} %`,
      );
    }
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What the program took in each second of the time that is measured, which begins when every shoot was probed twice. */
async function watched(command: string, shoots: number): Promise<readonly ProcessCost[]> {
  using elsewhere = fork(join(import.meta.dirname, 'support/shoots-process.ts'), [String(nodes)]);
  const [{ kubeconfig }] = (await once(elsewhere, 'message')) as [{ kubeconfig: string }];
  using seed = await startSeed({ configFile, shoots, nodes: 0, elsewhere: kubeconfig });
  const flags = [
    '--kube-api-qps=20',
    '--kube-api-burst=100',
    '--enable-leader-election=true',
    '--inspector-bind-addr=0',
  ];
  await using program = await StartedProgram.start(command, 'prober', {
    kubeconfig: seed.kubeconfig,
    configFile,
    flags,
  });
  await pause(5_000);
  await seed.reveal(interval * 1_000);
  await pause(2 * interval * 1_000);
  const costs: ProcessCost[] = [];
  for (let second = 0; second < seconds; second++) {
    await pause(1_000);
    program.refuseEnd();
    if (program.cost !== undefined) costs.push(program.cost);
  }
  return costs;
}
