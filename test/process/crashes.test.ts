import { expect, test } from 'vitest';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { ResourceKind } from '@dwd/simulator/store/resource-kind.ts';
import { quickConfig, seedStage } from '@dwd/testing/seed-stage.ts';
import { mark, record } from '@dwd/testing/stage.ts';
import { isWrite } from '@dwd/testing/embedded-stage.ts';

/** No kind of `apps/v1`: its annotations and its replicas are two writes, with a crash between them. */
const etcd: ResourceKind = {
  group: 'druid.gardener.cloud',
  version: 'v1alpha1',
  kind: 'Etcd',
  plural: 'etcds',
  namespaced: true,
  custom: true,
  countsGenerations: true,
  hasStatus: true,
  scale: { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] },
};

const configText = `${quickConfig}- ref: {apiVersion: druid.gardener.cloud/v1alpha1, kind: Etcd, name: etcd-main}
  scaleUp: {level: 0}
  scaleDown: {level: 0}
`;

/** Another round of crashes each; what happens follows from the number, but for the machine's own timing. */
const rounds = 5;

test('6.10, S5, L1 killed at any point of scaling down and up, and started again, it gives everything back as it was', async (context) => {
  const chance = seededChance(20_261_121);
  const stage = await seedStage(context, {
    configText,
    moreKinds: [etcd],
    mayAlso: ({ group }) => group === etcd.group,
  });
  const before = stage.replicas();
  const bare: string[] = [];
  const crashes: string[] = [];
  for (const kind of [stage.seed.api.kindOf('apps/v1', 'Deployment')!, etcd])
    stage.seed.api.storage.store.of(kind).onChange(() => {
      for (const name of stage.shoot.dependants.names) {
        const { desired, annotations } = stage.shoot.dependants.get(name)!;
        if (desired > 0) continue;
        if (annotations[mark] === undefined || annotations[record] !== String(before[name])) bare.push(name);
      }
    });

  for (let round = 0; round < rounds; round++) {
    const fatal = 1 + Math.floor(chance() * 5);
    const isLost = chance() < 0.5;
    const program = stage.prober(`prober-${round}`);
    let writes = 0;
    stage.permits = (asked) => {
      if (!isWrite(asked) || ++writes !== fatal) return true;
      program.kill('SIGKILL');
      return !isLost;
    };
    // Even rounds are an outage, odd ones its end. Of what is left to be done there may be fewer writes than that.
    if (round % 2 === 0) stage.cutOff();
    else stage.heal();
    const done = program.line('state changed', round % 2 === 0 ? { to: 'scaledDown' } : { from: 'scalingUp' });
    await Promise.race([program.ended, done]);
    program.kill('SIGKILL');
    await program.end();
    crashes.push(`${writes} ${isLost ? 'lost' : 'kept'}`);
  }
  stage.permits = () => true;
  stage.heal();
  const last = stage.prober('the-last');
  await stage.until(() => stage.annotations().length === 0, 'no annotation is left');
  await last.line('state changed', { from: 'scalingUp', to: 'probing' });
  expect(stage.replicas()).toEqual(before);
  expect(stage.annotations()).toEqual([]);
  expect({ bare, crashes }).toEqual({ bare: [], crashes });
});
