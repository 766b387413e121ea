/**
 * The memory of a prober that guards healthy shoots, as the kernel counts it: from the sources, and built as it ships, with the flags of the
 * image in a container of 256 MiB. Each run is a process of its own; the seed is another, and the API servers of all shoots are one. Aims, built: at most 90 MiB idle, 110 MiB at
 * 300 shoots, 200 MiB at 1,000.
 *
 *     node packages/lab/bench/memory.ts [--shoots 0,300,1000] [--nodes 5] [--interval 30] [--seconds 60] [--program sources,built] [--flags='…']
 *
 * What helps, at 300 shoots: a small young generation (4 MiB takes 10 MiB less than 16, and 1 some 5 less than that) and `MALLOC_ARENA_MAX=1` (5 MiB less). Neither can be
 * set by the program itself once it runs: the package or the image must. Half of an idle prober's memory is Node's own file.
 *
 * `resident` is what `kubectl top` comes near to; `anonymous` leaves out the pages of Node's own file, which the processes of a node
 * share, and which the kernel may drop.
 */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { sources } from '@dwd/testing/program.ts';
import { proberConfig } from './support/config-file.ts';
import { distributionOf } from './support/distribution.ts';
import { flags, say } from './support/flags.ts';
import { forked } from './support/forked.ts';
import { costOf, type ProcessCost } from './support/process-cost.ts';
import { programsOf, shippedEnvironment, ShippedProgram, shippedFlags } from './support/shipped-program.ts';
import type { ShootsCommands } from './support/shoots-process.ts';
import { election, gardenersFlags, StartedRole } from '../real/started-role.ts';
import { startSeed } from './support/started-seed.ts';

const {
  shoots: counts,
  nodes,
  interval,
  seconds,
  program: programs,
  flags: ofV8,
} = flags({
  shoots: '0,300,1000',
  nodes: 5,
  interval: 30,
  seconds: 60,
  program: 'sources,built',
  flags: shippedFlags.join(' '),
});
const columnWidth = 11;

const environment = Object.entries(shippedEnvironment)
  .map((pair) => pair.join('='))
  .join(' ');
using shipped = await ShippedProgram.build();
using config = proberConfig({ interval: `${interval}s` });
const configFile = config.path;
say(`shoots of ${nodes} nodes, probed every ${interval} s; V8: ${ofV8 || 'as it is'}`);
const heads = ['resident', 'anonymous', 'most', 'of a core'].map((head) => head.padStart(columnWidth));
say(`${'MiB'.padEnd(26)}${heads.join('')}`);
for (const program of programsOf(programs)) {
  const file = program === 'built' ? shipped.file : sources;
  for (const shoots of counts.split(',').map(Number)) {
    const costs = await watched(`env ${environment} ${process.execPath} ${ofV8} ${file}`, shoots);
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

/** What the program took in each second of the time that is measured, which begins when every shoot was probed twice. */
async function watched(command: string, shoots: number): Promise<readonly ProcessCost[]> {
  using elsewhere = await forked<ShootsCommands>('shoots-process.ts', [String(nodes)]);
  const { kubeconfig } = await elsewhere.reach();
  using seed = await startSeed({ configFile, shoots, nodes: 0, elsewhere: kubeconfig });
  await using program = await StartedRole.start('prober', {
    command,
    kubeconfig: seed.kubeconfig,
    configFile,
    flags: [...gardenersFlags.prober, election, '--inspector-bind-addr=0'],
  });
  await pause(5_000);
  await seed.reveal(interval * 1_000);
  await pause(2 * interval * 1_000);
  const costs: ProcessCost[] = [];
  for (let second = 0; second < seconds; second++) {
    await pause(1_000);
    program.refuseEnd();
    const cost = costOf(program.pid);
    if (cost !== undefined) costs.push(cost);
  }
  return costs;
}
