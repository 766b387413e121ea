/**
 * What guarding healthy shoots costs the prober: CPU for each probe, how late its event loop is, and memory. The seed is
 * a process of its own, and the API servers of all shoots are one. Aims: at most 3 ms of CPU a probe at 100 nodes, 1,000 shoots on one core with the
 * event loop late by at most 50 ms (p99), at most 256 MiB.
 *
 * All shoots are probed for `--warm` seconds first: what is called often is still being compiled then, by V8's workers and for the main thread.
 * V8's workers are threads that compile, and collect garbage, beside the main one.
 *
 *     node packages/lab/bench/steady.ts [--shoots 1000] [--nodes 100] [--interval 10] [--warm 90] [--seconds 60] [--program sources,built]
 */
import { flags, say } from './support/flags.ts';
import { measureSteady } from './support/measure-steady.ts';
import { programsOf } from './support/shipped-program.ts';

const {
  program: programs,
  shoots,
  nodes,
  interval,
  warm,
  seconds,
} = flags({ program: 'sources', shoots: 1_000, nodes: 100, interval: 10, warm: 90, seconds: 60 });
const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`;

for (const program of programsOf(programs)) {
  say(`${program}: ${shoots} healthy shoots of ${nodes} nodes, probed every ${interval} s`);
  const cost = await measureSteady({ shoots, nodes, interval, warm, seconds, program });
  const [first, last] = cost.residentBytes;
  const perProbe = (cost.cpuSeconds * 1_000) / cost.probes;
  say(`memory before the first probe: ${mebibytes(first)}`);
  say(`probes: ${cost.probes} in ${cost.seconds.toFixed(0)} s, ${cost.failures} failed so far`);
  say(
    `CPU a probe: ${perProbe.toFixed(2)} ms (aim: 3); shoots on one core: ${((interval * 1.1 * 1_000) / perProbe).toFixed(0)}`,
  );
  if (cost.threads !== undefined) {
    const words = Object.entries(cost.threads).map(
      ([name, spent]) => `${name} ${((spent * 1_000) / cost.probes).toFixed(2)} ms`,
    );
    say(`CPU a probe by thread: ${words.join(', ')}`);
  }
  say(`mean duration of a probe: ${((cost.probeSeconds * 1_000) / cost.probes).toFixed(1)} ms`);
  say(`event loop late by: ${(cost.lateSeconds * 1_000).toFixed(0)} ms, p99 (aim: 50)`);
  say(`memory: ${mebibytes(last)} (aim: 256), of it heap ${mebibytes(cost.heapBytes)}`);
  const { seedRequests, seedLooks } = cost;
  say(
    `requests to the seed, its Lease aside: ${seedRequests} (aim: none but looks in calm, of which there were ${seedLooks}: one of each shoot in its first ten minutes, then one an hour)`,
  );
}
