import { leader, leads, originalReplicas, seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { mark, record } from '@dwd/testing/stage.ts';
import { files } from './files.ts';
import type { NightScene } from './scene.ts';
import type { SceneStage } from './scene-stage.ts';

/** A seed with one shoot, and the kubeconfig of an operator. */
export function seed(...twists: readonly ((stage: SeedStage) => void)[]) {
  return async (stage: SceneStage): Promise<Readonly<Record<string, string>>> => {
    const started = await seedStage(stage.test, { shoots: ['shoot--dev--one'] });
    for (const twist of twists) twist(started);
    return { config: started.configFile, kubeconfig: started.kubeconfigOf('operator') };
  };
}

/** As a prober leaves it that was killed in an outage. */
export function leftDown({ shoot }: SeedStage): void {
  for (const [name, replicas] of Object.entries(originalReplicas)) {
    shoot.dependants.annotate(name, { [mark]: '', [record]: String(replicas) });
    shoot.dependants.scale(name, 0);
  }
}

const release = 'release --config-file={config} --kubeconfig={kubeconfig}';

export const releaseScenes: readonly NightScene[] = [
  {
    title: 'names no configuration to release by',
    args: 'release --dry-run --kubeconfig={kubeconfig}',
    around: seed(),
    says: /release: it goes by Gardener's usual configuration \(get deployments .*\)$/,
    code: 0,
  },
  {
    title: 'releases a seed that cannot be reached',
    args: 'release --config-file={dir}/config.yaml --kubeconfig={dir}/nobody.kubeconfig',
    files,
    says: /https:\/\/127\.0\.0\.1:1 cannot be reached: connection refused/,
    code: 1,
  },
  {
    title: 'releases what a killed prober left down',
    args: release,
    around: seed(leftDown, leader(600_000)),
    says: /: scaled Deployment kube-controller-manager from 0 to 2 and removed the mark\n.*\n.*\n1 shoot looked at: 3 resources released$/,
    code: 0,
  },
  {
    title: 'releases while a prober leads',
    args: release,
    around: seed(leftDown, leads),
    says: /the prober dwd-prober-5d9c leads: .* End it first, or say --force\.$/,
    code: 1,
  },
  {
    title: 'tries a release while a prober leads',
    args: `${release} --dry-run`,
    around: seed(leftDown, leads),
    says: /^The prober .* leads: [\s\S]*would scale Deployment [\s\S]*nothing was written$/,
    code: 0,
  },
  {
    title: 'releases after the prober died',
    args: release,
    around: seed(leftDown, leader(30_000)),
    says: /has not renewed its Lease .* If it is dead, wait \d+ s, or say --force\.$/,
    code: 1,
  },
  {
    title: 'releases where nothing is scaled down',
    args: release,
    around: seed(leader(600_000)),
    says: /^1 shoot looked at: nothing to release, it carries no mark of the watchdog$/,
    code: 0,
  },
  {
    title: 'releases a shoot with a slip in its name',
    args: `${release} --shoot=shoot--dev--oen`,
    around: seed(leader(600_000)),
    says: /the seed has no Cluster shoot--dev--oen; did you mean shoot--dev--one\?/,
    code: 1,
  },
  {
    title: 'releases as a user who may not list the Clusters',
    args: release,
    around: seed(leader(600_000), (stage) => {
      stage.permits = ({ resource }) => resource !== 'clusters';
    }),
    says: /the seed does not let this user read it: list clusters/,
    code: 1,
  },
];
