import { setTimeout as pause } from 'node:timers/promises';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import { Column } from '../meltdown/column.ts';
import type { MeltingShoot } from '../meltdown/melting-shoot.ts';
import type { Place } from '../meltdown/place.ts';
import { changesOf } from '../meltdown/shoot-state.ts';
import { guards, startProber } from '../meltdown/started-prober.ts';
import type { Progress } from '../options/progress.ts';
import type { PathPhase } from './path-phase.ts';

export type PathStory = Readonly<{
  nodes: number;
  /** How a path breaks. */
  fault: PathFault;
  /** How long the internal path stays broken, in ms. */
  internalFor: number;
}>;

/** A kube-controller-manager looks at its nodes once in so long, and is given some time to write. */
const markWithin = 8_000;
const longest = 180_000;

/** So that the prober has seen that everything is scaled down. */
const settles = 3_000;

/**
 * One shoot on real API servers, watched by two paths: the external one breaks and heals, and then the internal one does. Tells each phase
 * when it is over. Resolves to a sentence for each thing that did not go as rule 4.9 says.
 */
export async function playPaths(
  place: Place,
  { nodes, fault, internalFor }: PathStory,
  { say, goesOn }: Pick<Progress, 'say' | 'goesOn'>,
  onPhase: (phase: PathPhase) => void,
): Promise<readonly string[]> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  goesOn(() => 'two API servers and a kube-controller-manager start');
  await using column = await Column.start(place, 'paths', { shoots: 1, nodes });
  await column.join(Date.now(), failed.reject);
  await using prober = await startProber(place, column.seed);
  goesOn(() => 'the prober does not guard the shoot yet');
  await guards(prober, 1);
  const [shoot] = column.shoots;
  if (shoot === undefined) throw new Error('the seed has no shoot');
  return await Promise.race([story(shoot, column), failed.promise]);

  async function story(watched: MeltingShoot, { deployments }: Column): Promise<readonly string[]> {
    const { paths, marks, name } = watched;
    const before = await watched.state();
    const dependants = place.config.dependants.map(({ ref }) => ref.name);

    const phase = async (title: string, begin: () => Promise<void>, over: () => Promise<void>): Promise<PathPhase> => {
      say(title);
      goesOn(() => title);
      const [from, marksBefore] = [Date.now(), marks.all.length];
      await begin();
      await over();
      const scalings = deployments.scalings(name, from);
      const told = { title, from, lasted: Date.now() - from, scalings, marks: marks.all.slice(marksBefore) };
      onPhase(told);
      return told;
    };
    const within = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
      const end = Date.now() + longest;
      while (!(await isSo()) && Date.now() < end) await pause(200);
    };
    const asBefore = () =>
      within(async () => marks.marked.size === 0 && changesOf(before, await watched.state()).length === 0);

    const cut = await phase(
      `The external path breaks (${fault.kind}), and the kubelets with it.`,
      () => paths.external.setFault(fault),
      async () => {
        const from = Date.now();
        const isDown = (one: string) =>
          deployments.scalings(name, from).some(({ name: scaled, replicas }) => scaled === one && replicas === 0);
        await within(() => dependants.every(isDown));
        await pause(settles);
        // Whoever was to be marked has been.
        await pause(Math.max(0, from + place.config.kcmNodeMonitorGraceDuration + markWithin - Date.now()));
      },
    );
    const healed = await phase('The external path works again.', () => paths.heal(), asBefore);
    const alone = await phase(
      `The internal path breaks (${fault.kind}); the external one and the kubelets work.`,
      () => paths.internal.setFault(fault),
      () => pause(internalFor),
    );
    const after = await phase(
      'The internal path works again.',
      () => paths.heal(),
      () => pause(markWithin),
    );

    const changes = changesOf(before, await watched.state());
    const stayed = dependants.filter((one) => !cut.scalings.some((each) => each.name === one && each.replicas === 0));
    return [
      ...stayed.map((one) => `The external path broke, and ${one} was not scaled down.`),
      ...(healed.lasted > longest ? ['The external path healed, and not everything came back as it was.'] : []),
      ...[alone, after].flatMap(({ title, scalings }) =>
        scalings.length > 0 ? [`${title} Something was scaled.`] : [],
      ),
      ...changes,
    ];
  }
}
