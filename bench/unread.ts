/**
 * Many shoots are cut off at once, at real time, while nobody reads what the prober writes: its standard output and error are pipes that are full
 * before it starts. How soon each shoot is written to, how many are in time, and how soon the prober ends. `--read` is the same with a
 * reader, to compare.
 *
 *     node bench/unread.ts [--shoots 60] [--nodes 5] [--replicas 1] [--read]
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { StandingPipe } from '../test/support/standing-pipe.ts';
import { wayDownLines } from './support/outage-rows.ts';
import { proberConfigText } from './support/prober-config-text.ts';
import { heap, main } from './support/started-role.ts';
import { startSeed } from './support/started-seed.ts';

const { values } = parseArgs({
  options: {
    shoots: { type: 'string', default: '60' },
    nodes: { type: 'string', default: '5' },
    replicas: { type: 'string', default: '1' },
    read: { type: 'boolean', default: false },
  },
});
const shoots = Number(values.shoots);
const dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};
const configFile = file('config.yaml', proberConfigText({ interval: '30s', delay: '0s', twoPaths: false }));
const cleaning: (() => void)[] = [() => rmSync(dir, { recursive: true, force: true })];
const probers: ChildProcess[] = [];
try {
  using seed = await startSeed({ configFile, shoots, nodes: Number(values.nodes) });
  const kubeconfig = file('kubeconfig', seed.kubeconfig);
  // As in bench/outage.ts: every shoot crosses its threshold some seconds after the prober came.
  await seed.cutOff({ ages: [13_000, 23_000] });
  for (let replica = 0; replica < Number(values.replicas); replica++) probers.push(start(kubeconfig, replica));
  let { outages } = await seed.report();
  const last = Math.max(...outages.map(({ firstMarkAt }) => firstMarkAt)) + 20_000;
  while (Date.now() < last && outages.some(({ controllerManager }) => controllerManager.goneAt === undefined)) {
    await pause(500);
    ({ outages } = await seed.report());
  }
  const how = values.read ? 'their outputs are read' : 'nobody reads their outputs';
  const said = [`${shoots} shoots cut off at once, replicas: ${values.replicas}; ${how}`, ...wayDownLines(outages)];
  process.stdout.write(`${said.join('\n')}\n`);
  for (const prober of probers) await end(prober);
} finally {
  for (const prober of probers) prober.kill('SIGKILL');
  for (const clean of cleaning) clean();
}

function start(kubeconfig: string, replica: number): ChildProcess {
  const full = (name: string): number => {
    const pipe = new StandingPipe(dir, `${name}-${replica}`, {
      onTestFinished: (clean) => void cleaning.unshift(clean),
    });
    pipe.fill();
    return pipe.end;
  };
  const flags = ['--kube-api-qps=20', '--kube-api-burst=100', '--enable-leader-election=true'];
  const own = ['metrics', 'health', 'inspector'].map((what) => `--${what}-bind-addr=127.0.0.1:0`);
  const args = [...heap, main, 'prober', `--config-file=${configFile}`, `--kubeconfig=${kubeconfig}`, ...own, ...flags];
  const outputs = values.read ? (['ignore', 'ignore'] as const) : ([full('out'), full('err')] as const);
  return spawn(process.execPath, args, { stdio: ['ignore', ...outputs] });
}

async function end(prober: ChildProcess): Promise<void> {
  const told = Date.now();
  prober.kill('SIGTERM');
  const [code] = await once(prober, 'exit');
  process.stdout.write(
    `from SIGTERM to the end: ${((Date.now() - told) / 1_000).toFixed(1)} s, code ${String(code)}\n`,
  );
}
