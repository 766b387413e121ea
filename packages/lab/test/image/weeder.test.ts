import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RealApiServer } from '../../real/api-server.ts';
import { endTheLiving, isRemovedAfterUs } from '../../real/clearing-up.ts';
import { ControlPlane } from '../../real/control-plane.ts';
import { startControllerManager } from '../../real/controller-manager.ts';
import { startSeed } from '../../real/gardener-servers.ts';
import { prepareGround } from '../../control-plane/prepare-ground.ts';
import { seedNode } from '../../real/played-pods.ts';
import { mebibytes } from '../support/figures.ts';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { noteFigure } from './figures.ts';
import { configVolume, gardenletStarts } from './gardenlet.ts';
import { Pod } from './pod.ts';
import { sayLogsOf } from './say-logs.ts';
import { gateway } from './pod-network.ts';
import { memoryLimit } from './pod-spec.ts';
import { ProjectedAccount } from './service-account.ts';

const directory = mkdtempSync(join(tmpdir(), 'dwd-image-weeder-'));
isRemovedAfterUs(directory);
const namespace = 'shoot--real--1';

let seed: RealApiServer;
let plane: ControlPlane;
let pod: Pod | undefined;
const ending = new AbortController();

beforeAll(async () => {
  const ground = await prepareGround('image', () => undefined, { directory });
  seed = await startSeed(ground, 'seed', { address: gateway });
  const controllers = ['deployment', 'replicaset', 'statefulset', 'endpointslice'].map((one) => `${one}-controller`);
  startControllerManager(ground, 'kube-controller-manager', seed, controllers);
  await seed.operator.core.createNode({ body: { metadata: { name: seedNode } } });
  plane = new ControlPlane(seed.operator, namespace, ending.signal);
  await plane.raise();
});

afterEach(({ task }) => sayLogsOf(pod === undefined ? [] : [pod], task));

afterAll(async () => {
  ending.abort();
  await pod?.[Symbol.asyncDispose]();
  await seed?.close();
  await endTheLiving();
});

describe('1.6 the weeder, as gardenlet starts it', () => {
  test('1.6 one recovery of etcd is weeded, with 256 MiB and a token that is renewed before', async () => {
    const config = configVolume('weeder', join(directory, 'config'));
    const account = await ProjectedAccount.project(
      seed,
      'dependency-watchdog-weeder',
      join(directory, 'weeder.account'),
    );
    const weeder = await Pod.start(directory, gardenletStarts('weeder', seed, 'weeder-1', [config, account.mount]));
    pod = weeder;
    const readyAt = await weeder.until('it is ready', async () => (await weeder.get(9644, '/readyz')) !== undefined);
    noteFigure({ what: 'weeder: start to ready', is: seconds(readyAt - weeder.startedAt) });
    await weeder.until('it leads', async () => (await weeder.metric('dwd_leader')) === 1);
    expect(weeder.measure().limit).toBe(memoryLimit);
    expect(weeder.writablePlaces()).toEqual([]);
    const old = await account.renew();
    await expect.poll(() => account.statusOf(old)).toBe(401);

    await plane.fail('main');
    await seedShowsNoService(weeder);
    const { deleted } = plane.pods;
    deleted.length = 0;
    const healedAt = Date.now();
    await plane.heal('main');
    const wellAt = await weeder.until('the control plane is well again', () => plane.isWell);
    noteFigure({ what: 'weeder: etcd back to all pods ready', is: seconds(wellAt - healedAt) });
    expect(deleted.length).toBeGreaterThan(0);
    expect(deleted.filter(({ state }) => state !== 'crashLooping')).toEqual([]);

    const { workingSet, resident, peak } = weeder.measure();
    noteFigure({ what: 'weeder: memory after it', is: `${mebibytes(workingSet)}, resident ${mebibytes(resident)}` });
    noteFigure({ what: 'weeder: memory, at most', is: mebibytes(peak), atMost: mebibytes(memoryLimit) });

    await weeder.signal('TERM');
    const took = await weeder.endsWell();
    expect(took).toBeLessThan(5_000);
  });
});

/** The weeder has to see both services down before one of them comes back. */
async function seedShowsNoService(weeder: Pod): Promise<void> {
  await weeder.until('no service has a ready endpoint', async () => {
    const { items } = await seed.operator.discovery.listNamespacedEndpointSlice({ namespace });
    return items.every(({ endpoints }) => (endpoints ?? []).every(({ conditions }) => conditions?.ready !== true));
  });
}
