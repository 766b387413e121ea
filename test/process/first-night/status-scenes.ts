import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { leader, leads, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { mark } from '@dwd/testing/stage.ts';
import { files } from './files.ts';
import { leftDown, seed } from './release-scenes.ts';
import type { NightScene } from './scene.ts';

const status = 'status --config-file={config} --kubeconfig={kubeconfig}';

/** Of a seed that is none, or that somebody took for another. */
function withoutClusters({ seed: { api } }: SeedStage): void {
  const clusters = api.storage.store.of(kinds.cluster);
  for (const { object } of clusters.list()) clusters.remove(object.metadata.name);
}

function permitsAllBut(resource: string) {
  return (stage: SeedStage): void => {
    stage.permits = (asked) => asked.resource !== resource;
  };
}

export const statusScenes: readonly NightScene[] = [
  {
    title: 'asks how a seed stands',
    args: status,
    around: seed(leads),
    says: /^The prober dwd-prober-5d9c leads: [^]*shoot--dev--one +watched [^]*1 shoot: 1 watched; none is at odds with what should be$/,
    code: 0,
  },
  {
    title: 'asks how a seed stands after an outage that a prober did not outlive',
    args: status,
    around: seed(leftDown, leader(600_000)),
    says: /^Nobody leads: [^]*shoot--dev--one +scaled down +unknown +0 [^]*1 shoot: 1 scaled down; none is at odds with what should be, but nobody leads/,
    code: 1,
  },
  {
    title: 'asks how a seed stands on which a mark was left behind',
    args: status,
    around: seed(leads, ({ shoot }) => shoot.dependants.annotate('kube-controller-manager', { [mark]: '' })),
    says: /2 marked +Deployment kube-controller-manager has 2 replicas, and still carries the mark/,
    code: 1,
  },
  {
    title: 'asks how a seed stands that cannot be reached',
    args: 'status --config-file={dir}/config.yaml --kubeconfig={dir}/nobody.kubeconfig',
    files,
    says: /https:\/\/127\.0\.0\.1:1 cannot be reached: connection refused/,
    code: 1,
  },
  {
    title: 'asks how a seed stands as a user who may not list the Clusters',
    args: status,
    around: seed(leads, permitsAllBut('clusters')),
    says: /the seed does not let this user read it: list clusters/,
    code: 1,
  },
  {
    title: 'asks how a seed stands as a user who may not list the Deployments',
    args: status,
    around: seed(leads, permitsAllBut('deployments')),
    says: /unreadable .*could not be read: the seed does not let this user list and watch Deployments/,
    code: 1,
  },
  {
    title: 'asks how a seed stands as a user who may not read the Lease',
    args: status,
    around: seed(leads, permitsAllBut('leases')),
    says: /^Who leads is not known, so no shoot counts as watched: /,
    code: 1,
  },
  {
    title: 'asks how a cluster without Clusters stands',
    args: status,
    around: seed(leads, withoutClusters),
    says: /has no Clusters: is it the seed\?/,
    code: 0,
  },
  {
    title: 'asks how a shoot stands with a slip in its name',
    args: `${status} --shoot=shoot--dev--oen`,
    around: seed(leads),
    says: /the seed has no Cluster shoot--dev--oen; did you mean shoot--dev--one\?/,
    code: 1,
  },
  {
    title: 'asks for a form that does not exist',
    args: 'status --config-file=x -o=xml',
    says: /-o must be one of table, wide, name, json, yaml; found "xml"/,
    code: 2,
  },
  {
    title: 'asks a prober at no address',
    args: 'status --config-file=x --prober=https://localhost',
    says: /--prober must be an address such as localhost:PORT; found "https:\/\/localhost"/,
    code: 2,
  },
  {
    title: 'asks a prober that is not there',
    args: `${status} --prober=127.0.0.1:1`,
    around: seed(leads),
    says: /the prober at http:\/\/127\.0\.0\.1:1 cannot be asked: connection refused/,
    code: 1,
  },
];
