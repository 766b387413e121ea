import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askForKinds, askForObjects, readByGardener, type Reading } from '@dwd/lab/gardener/ask-gardener.ts';
import { readings } from '@dwd/lab/gardener/readings.ts';
import { newest } from '@dwd/lab/gardener/rendering.ts';
import { findProgram, ProgramMissing } from '@dwd/lab/programs/find-program.ts';
import { labelsOf, PlayedPods, podSpec, seedNode } from '@dwd/lab/real/played-pods.ts';
import { metricsOf } from '../process/served.ts';
import type { Program } from '@dwd/testing/program.ts';
import { RealPlainDependants } from '@dwd/lab/test/apiserver/real-stage.ts';
import { startedAsDeployed } from './as-deployed.ts';
import { BareSeed } from './bare-seed.ts';
import type { Definition } from './foreign-definitions.ts';
import { GardenersShoot } from './gardeners-shoot.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Gardener's own code: minutes to build, once. Where it cannot be, that is said, and nothing here counts as passed. */
const reader = await findProgram('gardenlet-reads', { say }).catch((error: unknown) => {
  if (!(error instanceof ProgramMissing)) throw error;
  say(`LEFT OUT: test/deploy/gardenlet.test.ts, since ${error.message}`);
  return undefined;
});

const directory = mkdtempSync(join(tmpdir(), 'dwd-gardenlet-'));
let seed: BareSeed;
let shoot: GardenersShoot;
let objects: Awaited<ReturnType<typeof askForObjects>>;

beforeAll(async () => {
  if (reader === undefined) return;
  objects = await askForObjects(newest, { say });
  seed = await BareSeed.start();
  for (const kind of await askForKinds()) await seed.takeDefinition(kind as unknown as Definition);
  await seed.api.call('POST', '/api/v1/namespaces', { metadata: { name: 'garden' } });
  await seed.api.operator.core.createNode({ body: { metadata: { name: seedNode } } });
  await seed.install([...objects.prober, ...objects.weeder]);
  shoot = await GardenersShoot.start(seed, objects);
});

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await shoot?.end();
  await seed?.close();
});

/** What gardenlet of the seed makes of the shoot now. */
const readNow = (): Promise<Reading> => readByGardener(String(reader), seed.kubeconfig, shoot.name);

const errorsOf = ({ lines }: Program) => lines.filter(({ level }) => level === 'error');

/** By the names of the dependants, in Gardener's order. */
const dependants = (replicas: readonly [number, number, number]) =>
  Object.fromEntries(Object.keys(readings.connected.replicas).map((name, at) => [name, replicas[at]]));

/** The interval is gardenlet's: half a minute, and as long again for the machine-controller-manager. */
const patience = { timeout: 90_000, interval: 200 };

test.skipIf(reader === undefined)(
  '1.7 6.4 6.5 as gardenlet deploys it, the prober guards a shoot, and gardenlet reads its marks as they are meant',
  { timeout: 400_000 },
  async (context) => {
    const program = await startedAsDeployed(context, objects.prober, 'prober', {
      seed,
      root: join(directory, 'prober'),
    });
    await program.line('leadership', { leadership: 'leading' });
    await expect.poll(async () => (await metricsOf(program))['dwd_probe_duration_seconds_count']).toBeGreaterThan(0);
    expect(await readNow()).toEqual(readingOf('connected'));

    await shoot.cutOff();
    await expect.poll(() => shoot.dependants(), patience).toEqual(dependants([0, 0, 0]));
    expect(await readNow()).toEqual(readingOf('cutOff'));

    await shoot.heal();
    await expect.poll(() => shoot.dependants(), patience).toEqual(dependants([1, 0, 0]));
    expect(await readNow()).toEqual(readingOf('comingBack'));
    await expect.poll(() => shoot.dependants(), patience).toEqual(dependants([1, 1, 1]));
    expect(await readNow()).toEqual(readingOf('connected'));
    expect(errorsOf(program)).toEqual([]);

    // Somebody else's 0 is not the watchdog's: gardenlet would undo it.
    program.kill('SIGTERM');
    await program.end();
    await shoot.scaleByHand(0);
    expect(await readNow()).toEqual(readingOf('unmarked'));
  },
);

test.skipIf(reader === undefined)(
  '1.7 7.2 7.3 as gardenlet deploys it, the weeder deletes the API server that crash-loops once etcd is back, and no other pod',
  async (context) => {
    const namespace = 'shoot--dev--weeded';
    const scene = new RealPlainDependants(seed.api, namespace);
    await scene.enter();
    await scene.slice('etcd-main-client', false);
    const over = new AbortController();
    context.onTestFinished(() => over.abort());
    const pods = new PlayedPods(seed.api.operator, namespace, over.signal);
    pods.fateOf = () => 'crashLooping';
    const looping = ['apiserver', 'scheduler'];
    await Promise.all(looping.map((role) => addDeployment(namespace, role)));
    const loops = () => pods.of().filter(({ state }) => state === 'crashLooping').length;
    await expect.poll(loops).toBe(looping.length);
    const root = join(directory, 'weeder');
    const program = await startedAsDeployed(context, objects.weeder, 'weeder', { seed, root });
    await program.line('leadership', { leadership: 'leading' });
    await program.line('the first lists of the seed are in');
    expect(pods.deleted).toEqual([]);

    pods.fateOf = () => 'ready';
    await scene.slice('etcd-main-client', true);
    await expect.poll(() => pods.of('apiserver').map(({ state }) => state)).toEqual(['ready']);
    expect(pods.deleted.map(({ role }) => role)).toEqual(['apiserver']);
    expect(errorsOf(program)).toEqual([]);
  },
);

async function addDeployment(namespace: string, role: string): Promise<void> {
  const labels = labelsOf(role);
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } };
  await seed.api.operator.apps.createNamespacedDeployment({ namespace, body: { metadata: { name: role }, spec } });
}

function readingOf(state: keyof typeof readings): Reading {
  const { scaledDown, replicas } = readings[state];
  return { scaledDown, replicas };
}
