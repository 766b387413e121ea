/**
 * The memory of a prober that guards healthy shoots, as the kernel counts it: from the sources, built as it ships, and the Go watchdog.
 * Each run is a process of its own; the seed is another, and the API servers of all shoots are one. Aims, built, resident: at most 90 MiB idle,
 * 95 at 100 shoots, 110 at 300, 135 at 1,000.
 *
 *     node packages/lab/bench/memory.ts [--shoots 0,100,300,1000] [--nodes 5] [--interval 30] [--seconds 60] [--program sources,built] [--peer-go] [--peer='COMMAND'] [--flags='…'] [--env='…']
 *
 * `resident` counts the pages of the program's own file as well (Node's: 54 MiB), which all its processes on a machine share, and
 * which the kernel may drop. `anonymous` leaves them out. `charged` and `working set` are what a container's are: anonymous memory, what the kernel
 * holds for the process, and pages of files that it touched first, here hardly any, since another Node of this machine did before. `working set` is what kubelet and dashboards show. Where no cgroup can be made both are –.
 */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { sources } from '@dwd/testing/program.ts';
import { proberConfig } from './support/config-file.ts';
import { distributionOf } from './support/distribution.ts';
import { flags, say } from './support/flags.ts';
import { forked } from './support/forked.ts';
import { memoryGroup } from './support/memory-group.ts';
import { costOf, type ProcessCost } from './support/process-cost.ts';
import { peersOf } from './support/peers.ts';
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
  env,
  ...peers
} = flags({
  shoots: '0,100,300,1000',
  nodes: 5,
  interval: 30,
  seconds: 60,
  program: 'sources,built',
  flags: shippedFlags.join(' '),
  env: Object.entries(shippedEnvironment)
    .map((pair) => pair.join('='))
    .join(' '),
  'peer-go': false,
  peer: '',
});
const columnWidth = 12;

using shipped = await ShippedProgram.build();
using config = proberConfig({ interval: `${interval}s` });
const configFile = config.path;
say(`shoots of ${nodes} nodes, probed every ${interval} s; V8: ${ofV8 || 'as it is'}; ${env}`);
const heads = ['resident', 'anonymous', 'charged', 'working set', 'most', 'of a core'];
say(`${'MiB'.padEnd(26)}${heads.map((head) => head.padStart(columnWidth)).join('')}`);
const commands: { program: string; command: string; own: readonly string[] }[] = programsOf(programs).map((program) => {
  const file = program === 'built' ? shipped.file : sources;
  return {
    program,
    command: `env ${env} ${process.execPath} ${ofV8} ${file}`,
    own: ['--inspector-bind-addr=0'],
  };
});
for (const [name, command] of await peersOf(peers)) commands.push({ program: name, command, own: [] });
for (const { program, command, own } of commands) {
  for (const shoots of counts.split(',').map(Number)) {
    const costs = await watched(command, own, shoots);
    const median = (of: (cost: Cost) => number): number => distributionOf(costs.map(of)).median;
    const [first, last] = [costs[0], costs.at(-1)];
    const mebibytes = [
      median(({ residentBytes }) => residentBytes),
      median(({ anonymousBytes }) => anonymousBytes),
      median(({ chargedBytes }) => chargedBytes),
      median(({ workingSetBytes }) => workingSetBytes),
      last?.mostResidentBytes ?? NaN,
    ].map((bytes) => (Number.isNaN(bytes) ? '–' : (bytes / 1_048_576).toFixed(0)).padStart(columnWidth));
    const cpu = ((last?.cpuSeconds ?? NaN) - (first?.cpuSeconds ?? NaN)) / (costs.length - 1);
    say(
      `${`${program}, ${shoots} shoots:`.padEnd(26)}${mebibytes.join('')}${(cpu * 100).toFixed(1).padStart(columnWidth)} %`,
    );
  }
}

type Cost = ProcessCost & Readonly<{ chargedBytes: number; workingSetBytes: number }>;

/** What the program took in each second of the time that is measured, which begins when every shoot was probed twice. */
async function watched(command: string, own: readonly string[], shoots: number): Promise<readonly Cost[]> {
  await using group = memoryGroup();
  using elsewhere = await forked<ShootsCommands>('shoots-process.ts', [String(nodes)]);
  const { kubeconfig } = await elsewhere.reach();
  using seed = await startSeed({ configFile, shoots, nodes: 0, elsewhere: kubeconfig });
  await using program = await StartedRole.start('prober', {
    command: group === undefined ? command : `${group.enter} ${command}`,
    kubeconfig: seed.kubeconfig,
    configFile,
    flags: [...gardenersFlags.prober, election, ...own],
  });
  await pause(5_000);
  await seed.reveal(interval * 1_000);
  await pause(2 * interval * 1_000);
  const costs: Cost[] = [];
  for (let second = 0; second < seconds; second++) {
    await pause(1_000);
    program.refuseEnd();
    const cost = costOf(program.pid);
    const charged = group?.read() ?? { chargedBytes: NaN, workingSetBytes: NaN };
    if (cost !== undefined) costs.push({ ...cost, ...charged });
  }
  return costs;
}
