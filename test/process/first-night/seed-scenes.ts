import { parse, stringify } from 'yaml';
import { answerJson, ScriptedServer } from '@dwd/testing/scripted-server.ts';
import { oddAuthority, servedBy } from '../../adapters/shoot-odd-certificates.ts';
import { seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { files, kubeconfigOf, prober, proberConfig, quiet, weeder, weederConfig } from './files.ts';
import type { NightScene } from './scene.ts';
import type { SceneStage } from './scene-stage.ts';

type Kubeconfig = { clusters: { cluster: Record<string, string> }[]; users: { user: Record<string, string> }[] };

type Twist = Readonly<{
  /** What is wrong with the prober's kubeconfig. */
  kubeconfig?: (written: Kubeconfig) => void;
  /** What is wrong with the seed. */
  seed?: (stage: SeedStage) => void | Promise<void>;
}>;

/** A seed with one shoot, its configuration with short times, and kubeconfigs of a prober and a weeder. */
function seed({ kubeconfig = () => undefined, seed: twist = () => undefined }: Twist = {}) {
  return async (stage: SceneStage): Promise<Readonly<Record<string, string>>> => {
    const started = await seedStage(stage.test, { shoots: ['shoot--dev--one'] });
    const written = parse(started.seed.addUser('prober')) as Kubeconfig;
    kubeconfig(written);
    await twist(started);
    return {
      config: started.configFile,
      weeder: started.weederConfigFile,
      kubeconfig: stage.file('seed.kubeconfig', stringify(written)),
      weederKubeconfig: started.kubeconfigOf('weeder', 'weeder'),
    };
  };
}

/** A server whose certificate expired years ago. */
async function expiredSeed(stage: SceneStage): Promise<Readonly<Record<string, string>>> {
  const authority = await oddAuthority('seed CA');
  const expired = servedBy(authority, await authority.issue(['127.0.0.1'], new Date('2021-01-01T00:00:00Z')));
  const server = await new ScriptedServer(expired, (_, response) => answerJson(response, {})).listen();
  stage.test.onTestFinished(() => server.close());
  const ca = Buffer.from(authority.ca).toString('base64');
  return {
    kubeconfig: stage.file(
      'expired.kubeconfig',
      kubeconfigOf(`{server: "${server.url}", certificate-authority-data: ${ca}}`),
    ),
  };
}

const election = '--enable-leader-election';
const onSeed = `prober --config-file={config} --kubeconfig={kubeconfig} ${quiet}`;
const weederOnSeed = `weeder --config-file={weeder} --kubeconfig={weederKubeconfig} ${quiet}`;
const cannotWatch = /cannot watch [^"]*: /;
const told = { until: cannotWatch, lines: /error/, code: 0 } as const;

/** The seed that was taken down for a scene. */
let comesBack = (): void => undefined;

export const seedScenes: readonly NightScene[] = [
  {
    title: 'runs the prober while nothing listens at the address of the seed',
    args: `${prober} ${quiet}`,
    files,
    ...told,
    says: /cannot watch clusters, secrets and deployments\/kube-controller-manager on https:\/\/127\.0\.0\.1:1: connection refused/,
  },
  {
    title: 'runs the weeder while nothing listens at the address of the seed',
    args: `${weeder} ${quiet}`,
    files,
    ...told,
    says: /cannot watch endpointslices on https:\/\/127\.0\.0\.1:1: connection refused/,
  },
  {
    title: 'takes part in the election while nothing listens at the address of the seed',
    args: `${prober} ${election} ${quiet}`,
    files,
    until: cannotWatch,
    lines: /Lease/,
    says: /^error: cannot take the Lease garden\/dwd-prober-leader-election on https:\/\/127\.0\.0\.1:1: connection refused/,
    code: 0,
  },
  {
    title: 'runs the prober with a token that the seed does not accept',
    args: onSeed,
    around: seed({ kubeconfig: ({ users }) => (users[0]!.user = { token: 'a-wrong-token' }) }),
    ...told,
    says: /: 401 Unauthorized: the token is not accepted, look at the kubeconfig DIR\/seed\.kubeconfig/,
  },
  {
    title: 'runs the prober with a token that has expired',
    args: onSeed,
    around: seed({
      kubeconfig: ({ users }) =>
        (users[0]!.user = { token: `a.${Buffer.from('{"exp":1600000000}').toString('base64url')}.b` }),
    }),
    ...told,
    says: /: 401 Unauthorized: the token expired on TIME, look at the kubeconfig DIR\/seed\.kubeconfig/,
  },
  {
    title: 'runs the prober with the CA of another cluster',
    args: onSeed,
    around: async (stage) => {
      const { ca } = await oddAuthority('another CA');
      const data = Buffer.from(ca).toString('base64');
      return seed({ kubeconfig: ({ clusters }) => (clusters[0]!.cluster['certificate-authority-data'] = data) })(stage);
    },
    ...told,
    says: /the server's certificate is from an unknown authority \("embedded-seed CA"\), not the one in the kubeconfig DIR\/seed\.kubeconfig/,
  },
  {
    title: 'runs the prober with an address that the certificate of the seed is not for',
    args: onSeed,
    around: seed({ kubeconfig: ({ clusters }) => (clusters[0]!.cluster['tls-server-name'] = 'seed.example.org') }),
    ...told,
    says: /the server's certificate is not for seed\.example\.org, but for 127\.0\.0\.1, localhost: look at server and tls-server-name/,
  },
  {
    title: 'runs the prober on a seed whose certificate has expired',
    args: `prober --config-file={dir}/config.yaml --kubeconfig={kubeconfig} ${quiet}`,
    files: { 'config.yaml': proberConfig },
    around: expiredSeed,
    ...told,
    says: /the server's certificate expired on TIME: renew it/,
  },
  {
    title: 'runs the prober without the grant to watch Clusters',
    args: onSeed,
    around: seed({ seed: (stage) => void (stage.permits = ({ resource }) => resource !== 'clusters') }),
    ...told,
    says: /cannot watch clusters on https:\/\/127\.0\.0\.1:PORT: 403 Forbidden: grant "prober" the verbs get, list and watch/,
  },
  {
    title: 'runs the prober on a cluster that is no seed of Gardener',
    args: onSeed,
    around: seed({
      seed: ({ seed: { api } }) =>
        api.setFault({ kind: 'status', code: 404 }, ({ resource }) => resource === 'clusters'),
    }),
    ...told,
    says: /cannot watch clusters on https:\/\/127\.0\.0\.1:PORT: 404 \w+: the seed does not serve this kind/,
  },
  {
    title: 'runs the prober without the grant on its Lease',
    args: `${onSeed} ${election}`,
    around: seed({ seed: (stage) => void (stage.permits = ({ resource }) => resource !== 'leases') }),
    until: /Lease.*403/,
    lines: /Lease/,
    says: /cannot take the Lease garden\/dwd-prober-leader-election on https:\/\/127\.0\.0\.1:PORT: 403 Forbidden: /,
    code: 0,
  },
  {
    title: 'runs the prober without the grant to watch its Lease',
    args: `${onSeed} ${election}`,
    around: seed({
      seed: (stage) => void (stage.permits = ({ resource, verb }) => resource !== 'leases' || verb !== 'watch'),
    }),
    until: /cannot watch the Lease/,
    lines: /cannot/,
    says: /warn: cannot watch the Lease garden\/dwd-prober-leader-election, so a standby sees some seconds later that it is free: 403 Forbidden/,
    code: 0,
  },
  {
    title: 'starts the prober while the seed is down for seconds',
    args: onSeed,
    around: seed({
      seed: async ({ seed: { api } }) => {
        await api.down();
        comesBack = () => void api.up();
      },
    }),
    // However long the program takes to start beside all other scenes.
    meanwhile: { once: /cannot watch/, happens: () => comesBack() },
    until: /watches .* at last/,
    lines: /watch/,
    says: /watches clusters, secrets and 3 dependants on https:\/\/127\.0\.0\.1:PORT at last, after N s/,
    code: 0,
  },
  {
    title: 'runs the prober on a seed that works',
    args: onSeed,
    around: seed(),
    until: /"to":"probing"/,
    lines: /starts|lists|state changed/,
    says: /the first lists of the seed are in \(server https:\/\/127\.0\.0\.1:PORT\)/,
    code: 0,
  },
  {
    title: 'asks which prober leads, and by which Lease',
    args: `${onSeed} ${election}`,
    around: seed(),
    until: /leads: /,
    lines: /Lease/,
    says: /leads: holds the Lease garden\/dwd-prober-leader-election/,
    code: 0,
  },
  {
    title: 'asks which prober leads where the election is off',
    args: onSeed,
    around: seed(),
    until: /leads: /,
    lines: /leads/,
    says: /leads: the election is off/,
    code: 0,
  },
  {
    title: 'waits for Kubernetes events under the roles of Gardener',
    args: onSeed,
    around: seed(),
    until: /no Kubernetes events/,
    lines: /events/,
    says: /no Kubernetes events are written: the seed does not let this account create them in all shoots' namespaces\. .*To have them, grant/,
    code: 0,
  },
  {
    title: 'runs the weeder on a seed that works',
    args: weederOnSeed,
    around: seed(),
    until: /first lists/,
    lines: /leads|lists/,
    says: /the first lists of the seed are in/,
    code: 0,
  },
  {
    title: 'runs the weeder with a kubeconfig of nobody, and a configuration of its own',
    args: `weeder --config-file={dir}/weeder.yaml --kubeconfig={kubeconfig} ${quiet}`,
    files: { 'weeder.yaml': weederConfig },
    around: seed({ kubeconfig: ({ users }) => (users[0]!.user = { token: 'nobody-knows-this' }) }),
    ...told,
    says: /cannot watch endpointslices on https:\/\/127\.0\.0\.1:PORT: 401 Unauthorized: the token is not accepted/,
  },
];
