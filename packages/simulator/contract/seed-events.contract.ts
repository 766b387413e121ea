import { expect, test } from 'vitest';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { SeedWatch } from 'dependency-watchdog/effects/ports.ts';
import type { SeedEvent } from 'dependency-watchdog/machines/shoot-language.ts';
import type { ClusterApiStage } from './cluster-api.contract.ts';
import { collector } from './collector.ts';

export type SeedEventsStage = Readonly<{
  watch: SeedWatch;
  /** A shoot that nobody else has, without a Cluster and without its one dependant. */
  shoot: ShootNamespace;
  /** Resolves once the watch has its first lists. It begins to watch at its first subscriber. */
  synced(): Promise<unknown>;
  setCluster: ClusterApiStage['setCluster'];
  /** Creates the dependant or scales it; undefined deletes it. Nobody brings its pods up or down. */
  setReplicas(replicas: number | undefined): Promise<unknown>;
}>;

const ofDependant = (found: boolean) => (event: SeedEvent) =>
  event.type === 'dependant.changed' && event.view.found === found;
const ofCluster = ({ type }: SeedEvent) => type === 'cluster.changed';

/** What every SeedWatch must do, whatever is behind it. */
export function seedEventsContract(stage: () => Promise<SeedEventsStage>): void {
  test('3 6.2 6.6 a shoot’s Cluster and its dependant are followed from first to last', async () => {
    const { watch, shoot, synced, setCluster, setReplicas } = await stage();
    const [shoots, events] = [collector(watch.shoots$), collector(watch.events$(shoot))];
    await synced();
    await setReplicas(2);
    expect(await events.next(ofDependant(true))).toMatchObject({ view: { replicas: 2, marked: false } });
    await setCluster('awake');
    const awake = { reading: { readable: true, cluster: { hibernationEnabled: false } } };
    expect(await events.next(ofCluster)).toMatchObject(awake);
    await shoots.next((set) => set.has(shoot));

    await setReplicas(0);
    expect(await events.next(ofDependant(true))).toMatchObject({ view: { replicas: 0, observed: false } });
    await setCluster('hibernated');
    const hibernated = { reading: { cluster: { hibernationEnabled: true } } };
    expect(await events.next(ofCluster)).toMatchObject(hibernated);

    const late = collector(watch.events$(shoot));
    const known = late.collected.map(({ type }) => type);
    expect(known.toSorted()).toEqual(['cluster.changed', 'cluster.watched', 'dependant.changed', 'dependant.watched']);
    expect(late.collected.find(ofCluster)).toMatchObject(hibernated);
    expect(late.collected.find(ofDependant(true))).toMatchObject({ view: { replicas: 0 } });
    late.subscription.unsubscribe();

    await setReplicas(undefined);
    await events.next(ofDependant(false));
    await setCluster(undefined);
    await events.next(({ type }) => type === 'cluster.gone');
    await shoots.next((set) => !set.has(shoot));
    for (const { subscription } of [shoots, events]) subscription.unsubscribe();
  });
}
