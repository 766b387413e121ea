/**
 * Many shoots are cut off at once, at real time, while nobody reads what the prober writes: its standard output and error are pipes that are full
 * before it starts. How soon each shoot is written to, how many are in time, and how soon the prober ends. `--read` is the same with a
 * reader, to compare.
 *
 *     node packages/lab/bench/unread.ts [--shoots 60] [--nodes 5] [--replicas 1] [--read]
 */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StandingPipe } from '@dwd/testing/standing-pipe.ts';
import { StartedRole } from '../real/started-role.ts';
import { proberConfig } from './support/config-file.ts';
import { flags, say } from './support/flags.ts';
import { wayDownLines } from './support/outage-rows.ts';
import { asSources } from './support/shipped-program.ts';
import { startSeed, untilGone } from './support/started-seed.ts';

const { shoots, nodes, replicas, read } = flags({ shoots: 60, nodes: 5, replicas: 1, read: false });
using config = proberConfig({ interval: '30s', delay: '0s' });
const configFile = config.path;
using directory = mkdtempDisposableSync(join(tmpdir(), 'dwd-unread-'));
let pipes = 0;

/** Outputs that are full: nobody will ever read them. They go with the prober, which is told to go before this process ends. */
function full(): number {
  const pipe = new StandingPipe(directory.path, `output-${++pipes}`, { onTestFinished: () => undefined });
  pipe.fill();
  return pipe.end;
}

async function end(prober: StartedRole): Promise<void> {
  const told = Date.now();
  prober.kill('SIGTERM');
  const { code } = await prober.ended;
  say(`from SIGTERM to the end: ${((Date.now() - told) / 1_000).toFixed(1)} s, code ${String(code)}`);
}

using seed = await startSeed({ configFile, shoots, nodes });
// As in packages/lab/bench/outage.ts: every shoot crosses its threshold some seconds after the prober came.
await seed.cutOff({ ages: [13_000, 23_000] });
await using probers = new AsyncDisposableStack();
const started: StartedRole[] = [];
for (let number = 0; number < replicas; number++) {
  const outputs = read ? {} : { stdout: full(), stderr: full() };
  const { kubeconfig } = seed;
  started.push(probers.use(await StartedRole.start('prober', { kubeconfig, configFile, ...outputs, ...asSources })));
}
const outages = await untilGone(seed, (await seed.report()).outages);
const how = read ? 'their outputs are read' : 'nobody reads their outputs';
const said = [`${shoots} shoots cut off at once, replicas: ${replicas}; ${how}`, ...wayDownLines(outages)];
say(said.join('\n'));
for (const prober of started) await end(prober);
