import { setTimeout as pause } from 'node:timers/promises';
import { markAnnotation, replicasAnnotation } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { MeltdownGround } from '../meltdown/place.ts';
import type { Progress } from '../options/progress.ts';
import { gardenerKinds } from '../real/custom-kinds.ts';
import { awayIn, ledIn, renewedIn, writtenIn, type Facts } from './facts.ts';
import { NightPlane } from './plane.ts';
import { Striker } from './strike.ts';
import { drawTroubles, troubleWords, type Trouble } from './trouble.ts';
import { whileAway } from './gardenlet.ts';

const lease = 'dwd-prober-leader-election';
/** A control plane comes back within 45 s of healing; a leader that was killed last needs 20 s more, and these cores are shared. */
const longestHealing = 240_000;

/** A night as it was played. */
export type Night = Readonly<{
  facts: Facts;
  /** Troubles that met another one and could not be done, by their kinds. */
  leftOut: readonly string[];
  /** From the end of the last trouble until all was as it should be; undefined if it was not. */
  backAfter: number | undefined;
}>;

/** Plays a night and gathers what it is judged by; rejects if what plays it fails. */
export async function playNight(
  place: MeltdownGround,
  { length, shoots, nodes }: Readonly<{ length: number; shoots: number; nodes: number }>,
  { say, goesOn }: Pick<Progress, 'say' | 'goesOn'>,
): Promise<Night> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  goesOn(() => 'API servers start; each takes some seconds');
  await using plane = await NightPlane.start(place, { shoots, nodes }, failed.reject);
  for (const prober of plane.probers) await prober.start();
  goesOn(() => 'no prober leads yet');
  while (!(await Promise.all(plane.probers.map((prober) => prober.leads()))).includes(true)) await pause(500);
  const striker = new Striker(plane, place.chance('blows'));
  const troubles = drawTroubles((purpose) => place.chance(`troubles of ${purpose}`), length, shoots);
  say(`${troubles.length} troubles in ${length / 60_000} minutes`);
  let overCount = 0;
  goesOn(() => `${overCount} of ${troubles.length} troubles are over`);
  const begin = Date.now();
  const strike = async (trouble: Trouble): Promise<void> => {
    await pause(Math.max(0, begin + trouble.at - Date.now()));
    say(troubleWords(trouble));
    await striker.strike(trouble);
    overCount++;
  };
  const subjects = Map.groupBy(troubles, (one) => (one.of === 'shoot' ? one.shoot : one.of));
  // What strikes one subject comes one after the other, also where one takes longer than it was drawn.
  const struck = [...subjects.values()].map(async (ofOne) => {
    for (const trouble of ofOne) await strike(trouble);
  });
  await Promise.race([Promise.all(struck), failed.promise]);
  const over = Date.now();
  say('all troubles are over');
  let wrong: readonly string[] = ['nothing was looked at'];
  goesOn(() => `not as it should be yet: ${wrong[0]}`);
  while (wrong.length > 0 && Date.now() - over < longestHealing) {
    await pause(1_000);
    wrong = await notAsBefore(plane, striker);
  }
  const backAfter = wrong.length === 0 ? Date.now() - over : undefined;
  const logs = plane.auditLogs;
  const renewed = await Promise.all([...logs.shoots].map(([namespace, file]) => renewedIn(file, namespace)));
  const marked = plane.shoots.flatMap(({ name, marks }) => marks.all.map((one) => ({ namespace: name, ...one })));
  const facts: Facts = {
    struck: striker.struck.toSorted((one, other) => one.from - other.from),
    written: await writtenIn(logs.seed),
    led: await ledIn(logs.seed, lease),
    renewed: renewed.flat(),
    marked,
    away: await awayIn(logs.seed, Date.now()),
    fallen: plane.probers.flatMap(({ fallen }) => fallen),
    notAsBefore: wrong,
  };
  return { facts, leftOut: striker.leftOut, backAfter };
}

const [, machineKind] = gardenerKinds;

/** A sentence for each thing that is not as it should be. */
async function notAsBefore(
  { shoots, seed, place }: NightPlane,
  { gardenlet }: Pick<Striker, 'gardenlet'>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { name: namespace, kubelets, marks, controllerManager, operator } of shoots) {
    const { items } = await whileAway(() => seed.api.operator.apps.listNamespacedDeployment({ namespace }));
    for (const { ref } of place.config.dependants) {
      const found = items.find(({ metadata }) => metadata?.name === ref.name);
      const wanted = gardenlet.wanted(namespace, ref.name);
      const replicas = found?.spec?.replicas;
      if (replicas !== wanted) wrong.push(`${namespace}/${ref.name} has ${replicas ?? 'no'} replicas, not ${wanted}`);
      for (const annotation of [markAnnotation, replicasAnnotation])
        if (annotation in (found?.metadata?.annotations ?? {}))
          wrong.push(`${namespace}/${ref.name} bears ${annotation}`);
    }
    if (!controllerManager.isRunning) wrong.push(`the kube-controller-manager of ${namespace} does not run`);
    const { items: seen } = await whileAway(() => operator.core.listNode());
    for (const { metadata, spec } of seen)
      if ((spec?.taints ?? []).length > 0) wrong.push(`${metadata?.name} of ${namespace} has taints`);
    if (seen.length !== kubelets.names.length)
      wrong.push(`${namespace} has ${seen.length} nodes, not ${kubelets.names.length}`);
    if (marks.marked.size > 0) wrong.push(`${[...marks.marked].join(', ')} of ${namespace} marked`);
    const machines = (await whileAway(() =>
      seed.api.operator.custom.listNamespacedCustomObject({ ...machineKind, namespace }),
    )) as { items: unknown[] };
    if (machines.items.length !== kubelets.names.length)
      wrong.push(`${namespace} has ${machines.items.length} Machines`);
  }
  return wrong;
}
