import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { open, readFile, watch } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Program } from '@dwd/testing/program.ts';
import { quickConfig, seedStage } from '@dwd/testing/seed-stage.ts';
import { mark, record } from '@dwd/testing/stage.ts';

/** Sends the signal, and returns how the process ended. `packages/lab/bench/start.ts` measures how long that takes. */
async function endBy(program: Program, signal: NodeJS.Signals) {
  program.kill(signal);
  const { code, stderr } = await program.end();
  return { code, stderr };
}

async function connection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

async function portsOf(program: Program): Promise<readonly number[]> {
  const { ports } = await program.line('the prober starts');
  return Object.values(ports as Readonly<Record<string, number>>);
}

test.concurrent.for(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const)(
  '1.4 %s in calm: code 0, nothing written, the Lease released',
  async (signal, context) => {
    const stage = await seedStage(context);
    const program = stage.prober('prober', '--enable-leader-election');
    await program.line('state changed', { to: 'probing' });
    expect(stage.lease?.['holderIdentity']).not.toBe('');
    const ports = await portsOf(program);
    expect(ports).toHaveLength(3);
    const kept = await Promise.all(ports.map(connection));
    const cut = Promise.all(kept.map((socket) => once(socket, 'close')));

    const { code, stderr } = await endBy(program, signal);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await program.line('the prober ends', { why: signal });
    expect(stage.lease).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    expect(stage.writes()).toEqual([]);
    await cut;
    for (const port of ports) await expect(connection(port)).rejects.toThrow('ECONNREFUSED');
  },
);

/** A process that was killed is still there, as a zombie, until its new parent has looked. */
function isRunning(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}

test.concurrent('1.4, 1.5 SIGTERM while an exec plugin runs: code 0, and the plugin is ended', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const plugin = stage.file('plugin.sh', 'echo $$ > "$1"\nexec sleep 1000\n');
  const pidFile = join(stage.dir, 'pid');
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', args: [plugin, pidFile] };
  const kubeconfig = stage.file(
    'kubeconfig',
    JSON.stringify({
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
      clusters: [{ name: 'x', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'x', user: { exec } }],
    }),
  );
  const pidSeen = (async () => {
    for await (const { filename } of watch(stage.dir, { signal: AbortSignal.timeout(60_000) })) {
      const pid = filename === 'pid' ? Number(await readFile(pidFile, 'utf8')) : 0;
      if (pid > 0) return pid;
    }
    return 0;
  })();
  const program = stage.prober('prober', `--kubeconfig=${kubeconfig}`);
  const pid = await pidSeen;
  expect(await endBy(program, 'SIGTERM')).toEqual({ code: 0, stderr: '' });
  await program.line('the prober ends', { why: 'SIGTERM' });
  await stage.until(() => !isRunning(pid), 'the plugin is ended');
});

test.concurrent('1.4, 6.10 SIGTERM in the middle of a scale-down: what waits for the rate limit is never sent', async (context) => {
  const names = ['kube-controller-manager', ...Array.from({ length: 7 }, (_, index) => `controller-${index}`)];
  const dependants = names.map(
    (name) => `- ref: {apiVersion: apps/v1, kind: Deployment, name: ${name}}
  scaleUp: {level: 0}
  scaleDown: {level: 0}
`,
  );
  // All on one level, so that all writes are wanted at once.
  const configText = `kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: 1s
initialDelay: 0s
dependentResourceInfos:
${dependants.join('')}`;
  const stage = await seedStage(context, { shoots: 30, nodes: 3, configText });
  // Scale-downs have 25 at once, then 50 a second: four seconds' worth of them has to wait.
  const slow = ['--kube-api-qps=2', '--kube-api-burst=1'];
  const program = stage.prober('prober', '--enable-leader-election', ...slow);
  await program.line('the first lists of the seed are in');
  for (const shoot of stage.seed.shoots) stage.cutOff(shoot);
  await stage.until(() => stage.writes().length > 0, 'the first scale-down');
  // The Lease cannot be let go for three seconds, in which 150 of the queue would be served.
  stage.seed.api.setFault({ kind: 'hang', at: 'answer' }, ({ resource }) => resource === 'leases');
  const said = program.line('the prober ends').then(() => stage.writes().length);

  const { code, stderr } = await endBy(program, 'SIGTERM');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // A request that was sent just before may arrive just after.
  expect(stage.writes().length - (await said)).toBeLessThan(50);
  const atZero = stage.seed.shoots
    .flatMap(({ dependants }) => dependants.names.map((name) => dependants.get(name)!))
    .filter(({ desired }) => desired === 0);
  expect(atZero.length).toBeGreaterThan(0);
  for (const { annotations } of atZero) expect(Object.keys(annotations).toSorted()).toEqual([mark, record]);
});

test.concurrent('1.4 SIGTERM while neither the seed nor the shoot answers any more: code 0 in time', async (context) => {
  const stage = await seedStage(context);
  const program = stage.prober('prober', '--enable-leader-election');
  await program.line('state changed', { to: 'probing' });
  stage.shoot.hang();
  stage.seed.api.setFault({ kind: 'hang', at: 'answer' });
  const { count } = stage.shoot.api.requests;
  await context.expect.poll(() => stage.shoot.api.requests.count).toBeGreaterThan(count);

  const { code, stderr } = await endBy(program, 'SIGTERM');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test.concurrent('1.4 SIGTERM while the configuration is still being read: code 0, and no Lease is taken', async (context) => {
  const stage = await seedStage(context);
  // Opening a pipe for writing waits for its reader. From then on the program runs, and waits for the text.
  const pipe = join(stage.dir, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const program = stage.prober('prober', `--config-file=${pipe}`, '--enable-leader-election');
  const writer = await open(pipe, 'w');
  program.kill('SIGTERM');
  await writer.writeFile(quickConfig);
  await writer.close();
  expect(await program.end()).toMatchObject({ code: 0, stderr: '' });
  await program.line('the prober ends', { why: 'SIGTERM' });
  expect(stage.lease).toBeUndefined();
});

test.concurrent('1.4 SIGTERM before the seed has ever answered: code 0 in time', async (context) => {
  const stage = await seedStage(context);
  stage.seed.api.setFault({ kind: 'hang', at: 'handshake' });
  const program = stage.prober('prober', '--enable-leader-election');
  await program.line('the prober starts');
  const { code, stderr } = await endBy(program, 'SIGTERM');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stage.lease).toBeUndefined();
});
