import { seedStage } from '../seed-stage.ts';
import { files, prober, quiet, weeder } from './files.ts';
import type { Scene } from './scene.ts';
import type { SceneStage } from './scene-stage.ts';

/** A seed with one shoot, its configuration with short times, and kubeconfigs of a prober, a weeder and an administrator. */
async function seed(stage: SceneStage): Promise<Readonly<Record<string, string>>> {
  const { configFile, weederConfigFile, kubeconfigOf } = await startSeed(stage);
  return { config: configFile, weeder: weederConfigFile, kubeconfig: kubeconfigOf('prober', 'prober') };
}

async function startSeed(stage: SceneStage) {
  const started = await seedStage(stage.test, { shoots: ['shoot--dev--one'] });
  return {
    started,
    configFile: started.configFile,
    weederConfigFile: started.weederConfigFile,
    kubeconfigOf: started.kubeconfigOf.bind(started),
  };
}

const said = /cannot|error/;

export const seedScenes: readonly Scene[] = [
  {
    title: 'runs the prober while nothing listens at the address of the seed',
    args: `${prober} ${quiet}`,
    files,
    until: said,
    lines: /error/,
    says: /cannot watch clusters, secrets and deployments\/kube-controller-manager on https:\/\/127\.0\.0\.1:1: connection refused/,
    code: 0,
  },
  {
    title: 'runs the weeder while nothing listens at the address of the seed',
    args: `${weeder} ${quiet}`,
    files,
    until: said,
    lines: /error/,
    says: /cannot watch endpointslices on https:\/\/127\.0\.0\.1:1: connection refused/,
    code: 0,
  },
  {
    title: 'runs the prober on a seed that works',
    args: `prober --config-file={config} --kubeconfig={kubeconfig} ${quiet}`,
    around: seed,
    until: /"to":"probing"/,
    lines: /starts|lists|state changed/,
    says: /first lists/,
    code: 0,
  },
];
