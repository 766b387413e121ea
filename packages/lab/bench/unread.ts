/**
 * Many shoots are cut off at once, at real time, while nobody reads what the prober writes: its standard output and error are pipes that are full
 * before it starts. How soon each shoot is written to, how many are in time, and how soon the prober ends. `--read` is the same with a
 * reader, to compare.
 *
 *     node packages/lab/bench/unread.ts [--shoots 60] [--nodes 5] [--replicas 1] [--read]
 */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { StandingPipe } from '@dwd/testing/standing-pipe.ts';
import { proberConfig } from './support/config-file.ts';
import { flags, say } from './support/flags.ts';
import { wayDownLines } from './support/outage-rows.ts';
import { gardenersFlags, StartedProcess } from './support/started-process.ts';
import { heap, main } from './support/started-role.ts';
import { startSeed, untilGone } from './support/started-seed.ts';

const { shoots, nodes, replicas, read } = flags({ shoots: 60, nodes: 5, replicas: 1, read: false });
using config = proberConfig({ interval: '30s', delay: '0s' });
const configFile = config.path;
/** A prober whose outputs are pipes that are full, or go nowhere. */
class UnreadProber extends StartedProcess {
  constructor(kubeconfig: string) {
    super(kubeconfig, (file, directory) => {
      const full = (name: string): number => {
        // The pipes go with the prober, which is told to go before this process ends.
        const pipe = new StandingPipe(directory, name, { onTestFinished: () => undefined });
        pipe.fill();
        return pipe.end;
      };
      const own = ['metrics', 'health', 'inspector'].map((what) => `--${what}-bind-addr=127.0.0.1:0`);
      const seed = [`--config-file=${configFile}`, `--kubeconfig=${file}`];
      const outputs = read ? (['ignore', 'ignore'] as const) : ([full('out'), full('err')] as const);
      const args = [...heap, main, 'prober', ...seed, ...own, ...gardenersFlags];
      return spawn(process.execPath, args, { stdio: ['ignore', ...outputs] });
    });
  }

  async end(): Promise<void> {
    const told = Date.now();
    this.kill('SIGTERM');
    await this.ended();
    say(`from SIGTERM to the end: ${((Date.now() - told) / 1_000).toFixed(1)} s, code ${String(this.child.exitCode)}`);
  }
}

using seed = await startSeed({ configFile, shoots, nodes });
// As in packages/lab/bench/outage.ts: every shoot crosses its threshold some seconds after the prober came.
await seed.cutOff({ ages: [13_000, 23_000] });
await using probers = new AsyncDisposableStack();
const started = Array.from({ length: replicas }, () => probers.use(new UnreadProber(seed.kubeconfig)));
const outages = await untilGone(seed, (await seed.report()).outages);
const how = read ? 'their outputs are read' : 'nobody reads their outputs';
const said = [`${shoots} shoots cut off at once, replicas: ${replicas}; ${how}`, ...wayDownLines(outages)];
say(said.join('\n'));
for (const prober of started) await prober.end();
