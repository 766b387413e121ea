import { expect, test } from 'vitest';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import { systemClock } from '../../src/adapters/clock/wall-clock.ts';
import { readWeederConfig } from '../../src/domain/config/read-weeder-config.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { parse } from 'yaml';
import { WeededPods } from '../support/judged-writes.ts';
import { quickWeederConfig, seedStage } from '@dwd/testing/seed-stage.ts';

const namespaces = ['shoot--a--one', 'shoot--a--two'];
const dependants = 20;

/** Another crash each; what happens follows from the number, but for the machine's own timing. */
const rounds = 4;

test('S8, 7.3 killed at any deletion within a window, and started again, it leaves no dependant in CrashLoopBackOff, and deletes no incarnation twice', async (context) => {
  const chance = seededChance(20_261_122);
  const stage = await seedStage(context, { shoots: 0 });
  const { plain, seed } = stage;
  const reading = readWeederConfig(parse(quickWeederConfig));
  if (!reading.ok) throw new Error('the configuration cannot be read');
  const weeded = new WeededPods(seed, reading.config, () => systemClock.now());
  for (const namespace of namespaces) {
    plain.slice(namespace, 'kube-apiserver', [true]);
    plain.add(namespace, 'kube-apiserver-0', { labels: { role: 'apiserver' } });
    for (let index = 0; index < dependants; index += 1)
      plain.add(namespace, `pod-${index}`, { labels: { role: 'controller' } });
  }
  const ending: string[] = [];
  const ways: string[] = [];
  let isNew = true;
  /** Its windows open when it reads the slices; a machine that is busy starts it late. */
  const lookAt = ({ resource }: Readonly<{ resource: string }>): void => {
    if (!isNew || resource !== 'endpointslices') return;
    isNew = false;
    weeded.weederStarted();
  };

  for (let round = 0; round < rounds; round += 1) {
    const fatal = 1 + Math.floor(chance() * 8);
    const isLost = chance() < 0.5;
    isNew = true;
    const program = stage.weeder(`weeder-${round}`);
    let deletions = 0;
    stage.permits = ({ verb, resource, namespace, name }) => {
      lookAt({ resource });
      if (verb !== 'delete') return true;
      const pod = seed.api.storage.store.of(kinds.pod).get(`${namespace}/${name}`);
      if (pod?.object.metadata.deletionTimestamp !== undefined) ending.push(name);
      deletions += 1;
      if (deletions === fatal) program.kill('SIGKILL');
      return deletions < fatal || (deletions === fatal && !isLost);
    };
    await program.end();
    ways.push(isLost ? 'lost' : 'kept');
  }
  expect(new Set(ways)).toEqual(new Set(['lost', 'kept']));
  isNew = true;
  stage.permits = (asked) => {
    lookAt(asked);
    return true;
  };
  stage.weeder('the-last');
  await stage.until(() => plain.left.length === namespaces.length, 'every dependant is deleted');
  expect(plain.left).toEqual(namespaces.map((namespace) => `${namespace}/kube-apiserver-0`));
  expect(weeded.broken).toEqual([]);
  expect(weeded.all).toHaveLength(namespaces.length * dependants);
  expect(ending).toEqual([]);
});
